//! `robolog completions` and `robolog man`.

use std::io::{self, Write as _};

use clap::CommandFactory as _;
use robolog_convert::Result;

use crate::{args::Args, status::Status};

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "robolog", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Status::Done)
}

pub(crate) fn man() -> Result<Status> {
    let mut out = io::stdout().lock();
    clap_mangen::Man::new(Args::command()).render(&mut out)?;
    for command in Args::command().get_subcommands().filter(|command| !command.is_hide_set()) {
        clap_mangen::Man::new(command.clone()).render(&mut out)?;
    }
    Ok(Status::Done)
}
