//! `robolog check`: what is wrong with a recording.

use std::io::Write as _;

use robolog_convert::Result;
use robolog_core::{Severity, text::Escaped};
use serde_json::json;

use super::summary::survey;
use crate::{Status, args::InfoArgs, progress::Context, render};

pub(crate) fn run(args: &InfoArgs, context: Context) -> Result<Status> {
    let mut out = render::Findings::new();
    super::each(args.files.iter().map(AsRef::as_ref), |path| {
        let info = survey(context.open(path)?, args.format.name.as_deref(), context)?;
        let findings = &info.summary.findings;
        let ok = info.summary.is_ok();
        if args.json {
            render::json(&mut out, &json!({ "format": info.format, "ok": ok, "findings": findings }))?;
        } else {
            let name = render::path(path);
            for finding in findings {
                let severity = match finding.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Note => "note",
                };
                let message = Escaped(finding.message.as_bytes());
                writeln!(out, "{name}: {severity}: {} at {:#x}: {message}", finding.code, finding.offset)?;
            }
            let verdict = if ok { "ok" } else { "damaged" };
            let (variant, records) = (Escaped(info.summary.variant.as_bytes()), info.summary.records);
            writeln!(out, "{name}: {verdict}, {variant}, {records} records")?;
        }
        out.flush()?;
        Ok(if ok { Status::Done } else { Status::Lossy })
    })
}
