//! Importer for the Rerun Viewer, which finds it by its name: runs `robolog import-for-rerun`.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
    path::PathBuf,
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    let mut robolog = Command::new(robolog());
    robolog.args(["import-for-rerun", "--"]).args(env::args_os().skip(1));
    match become_it(&mut robolog) {
        Ok(code) => code,
        Err(error) => {
            // A closed stderr is not an error.
            let _ = writeln!(
                io::stderr(),
                "rerun-importer-robolog: cannot run `robolog`, which must be beside it or on the PATH: {error}"
            );
            ExitCode::FAILURE
        }
    }
}

/// The `robolog` beside this program, else the one on the PATH.
fn robolog() -> PathBuf {
    let name = OsString::from(format!("robolog{}", env::consts::EXE_SUFFIX));
    let here = env::current_exe().ok();
    // Follow a link to this program.
    let real = here.as_deref().and_then(|here| here.canonicalize().ok());
    let beside = here.into_iter().chain(real).map(|program| program.with_file_name(&name));
    beside.into_iter().find(|path| path.is_file()).unwrap_or_else(|| name.into())
}

#[cfg(unix)]
fn become_it(robolog: &mut Command) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;
    Err(robolog.exec())
}

#[cfg(not(unix))]
fn become_it(robolog: &mut Command) -> io::Result<ExitCode> {
    let code = robolog.status()?.code();
    Ok(code.and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
