//! `robolog view`: a recording in Rerun, or as a page in the browser.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use robolog_convert::{Error, Result};

use crate::{args::parts::ViewArgs, progress::Context, status::Status};

pub(crate) fn run(args: &ViewArgs, context: Context) -> Result<Status> {
    super::each([&*args.file], |file| {
        // Refuse files that are not recordings.
        let input = context.open(file)?;
        if !input.is_dataset() {
            input.format()?;
        }
        drop(input);
        if !args.page
            && cfg!(feature = "mcap")
            && let Some(rerun) = program("rerun")
        {
            return open_in_rerun(&rerun, file);
        }
        page(file, context)
    })
}

/// Rerun asks `rerun-importer-robolog` to open formats that it cannot read.
fn open_in_rerun(rerun: &Path, file: &Path) -> Result<Status> {
    let beside = env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let known = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&known));
    let path = env::join_paths(folders).unwrap_or_else(|_| known.clone());
    let status = Command::new(rerun).arg(file).env("PATH", path).status();
    let status = status.map_err(|e| Error::file(rerun, e))?;
    Ok(if status.success() { Status::Done } else { Status::Failed })
}

/// Finds a program on the PATH.
fn program(name: &str) -> Option<PathBuf> {
    let names = [OsString::from(name), OsString::from(format!("{name}.exe"))];
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .find_map(|folder| names.iter().map(|name| folder.join(name)).find(|path| path.is_file()))
}

#[cfg(feature = "report")]
fn page(file: &Path, context: Context) -> Result<Status> {
    use std::{io::Write as _, process::Stdio};

    use crate::render;

    /// Programs that open a file with its default application, with their arguments before its name.
    #[cfg(target_os = "macos")]
    const OPENERS: [&[&str]; 1] = [&["open"]];
    #[cfg(windows)]
    const OPENERS: [&[&str]; 1] = [&["cmd", "/C", "start", ""]];
    #[cfg(not(any(target_os = "macos", windows)))]
    const OPENERS: [&[&str]; 3] = [&["xdg-open"], &["gio", "open"], &["wslview"]];

    let mut progress = context.progress(std::fs::metadata(file).map(|meta| meta.len()).ok());
    let page = robolog_report::report(file, &robolog_report::Options::default(), &mut |at| progress.set(at))?;
    drop(progress);
    render::losses(file, &page.read);
    // The browser reads the file after this program has ended.
    let mut out = tempfile::Builder::new().prefix("robolog-").suffix(".html").tempfile()?;
    out.write_all(page.html.as_bytes())?;
    let (_, path) = out.keep().map_err(|e| Error::file(e.file.path(), e.error))?;
    for opener in OPENERS {
        let Some((name, words)) = opener.split_first() else { continue };
        let Some(opener) = program(name) else { continue };
        let mut command = Command::new(opener);
        command.args(words).arg(&path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.status().is_ok_and(|status| status.success()) {
            if !context.quiet {
                render::note(&path, "opened in the browser");
            }
            return Ok(Status::Done);
        }
    }
    render::note(&path, "no program to open it was found: open it in a browser");
    Ok(Status::Done)
}

#[cfg(not(feature = "report"))]
fn page(_: &Path, _: Context) -> Result<Status> {
    Err(Error::Target(
        "Rerun is not on the PATH, and this build makes no pages; build with --features report".into(),
    ))
}
