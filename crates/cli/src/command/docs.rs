//! `robolog completions` and `robolog man`.

use std::io::{self, Write as _};

use robolog_convert::Result;

use crate::{args::command, status::Status};

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "robolog", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Status::Done)
}

pub(crate) fn man() -> Result<Status> {
    let mut out = io::stdout().lock();
    clap_mangen::Man::new(command()).render(&mut out)?;
    for verb in command().get_subcommands().filter(|verb| !verb.is_hide_set()) {
        clap_mangen::Man::new(verb.clone()).render(&mut out)?;
    }
    Ok(Status::Done)
}
