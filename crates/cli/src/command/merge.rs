//! `robolog merge`: several recordings of one format as one.

use robolog_convert::{Error, Result};

use crate::{Status, args::MergeArgs, progress::Context};

pub(crate) fn run(args: &MergeArgs, context: Context) -> Result<Status> {
    let _ = (args, context);
    Err(Error::Target("merge".into()))
}
