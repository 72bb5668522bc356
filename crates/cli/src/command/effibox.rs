//! `robolog effibox`: tools for the Institut Pascal data set.

use std::io::Write;

use effibox::{
    dataset::{Dataset, Poses, Verification},
    motion::{SignalReport, Verdict},
};
use robolog_convert::{Error, Result, of_data_set};
use robolog_core::text::Escaped;

use crate::{
    args::effibox::{Effibox, VerifyArgs},
    render,
    status::Status,
};

pub(crate) fn run(args: &Effibox) -> Result<Status> {
    match args {
        Effibox::Verify(args) => verify(args),
    }
}

fn verify(args: &VerifyArgs) -> Result<Status> {
    let found = Dataset::open(&args.path)
        .and_then(|dataset| dataset.verify_with(args.wheelbase))
        .map_err(of_data_set)?;
    if found.is_empty() {
        return Err(Error::Empty("no interface has raw and converted columns, or poses, to compare".into()));
    }
    let mut out = render::Findings::new();
    let mut odd_rows = 0_u64;
    for verification in &found {
        odd_rows += verification.odd_rows;
        if args.json {
            render::json(&mut out, verification)?;
        } else {
            print(&mut out, verification)?;
        }
    }
    if odd_rows > 0 {
        render::note(&args.path, format_args!("left out {odd_rows} rows that do not fit their columns"));
        return Ok(Status::Lossy);
    }
    Ok(Status::Done)
}

fn print(out: &mut dyn Write, verification: &Verification) -> Result<()> {
    writeln!(out, "{}", Escaped(verification.interface.as_bytes()))?;
    for signal in &verification.signals {
        print_signal(out, signal)?;
    }
    for poses in &verification.poses {
        print_poses(out, poses)?;
    }
    Ok(())
}

fn print_signal(out: &mut dyn Write, signal: &SignalReport) -> Result<()> {
    write!(out, "  {}: {} rows, ", signal.signal.column(), signal.rows)?;
    match (signal.fitted, signal.rms) {
        (Some(fit), Some(rms)) => {
            write!(out, "k {:.6}", fit.k)?;
            if let Some(offset) = fit.offset {
                write!(out, ", offset {offset:.6}")?;
            }
            writeln!(out, ", which leaves {rms:.2e}")?;
        }
        _ => writeln!(out, "the raw value never changes")?,
    }
    for candidate in &signal.candidates {
        let verdict = match candidate.verdict {
            Verdict::Holds => "holds",
            Verdict::Near => "is near",
            Verdict::Fails => "fails",
            _ => "cannot tell",
        };
        let (published, rms) = (&candidate.published, candidate.rms);
        let offset = published.linear.offset.map_or_else(String::new, |offset| format!(", offset {offset}"));
        writeln!(
            out,
            "    {verdict}: {} (k {:.6}{offset}), which leaves {rms:.2e}",
            published.source, published.linear.k
        )?;
    }
    Ok(())
}

fn print_poses(out: &mut dyn Write, poses: &Poses) -> Result<()> {
    let reckoning = &poses.reckoning;
    writeln!(
        out,
        "  {}: {} poses over {:.2} m, wheelbase {} m",
        Escaped(poses.path.as_bytes()),
        reckoning.poses,
        reckoning.extent_m,
        reckoning.wheelbase
    )?;
    if reckoning.best().is_none() {
        writeln!(out, "    the vehicle did not move: every variant fits")?;
        return Ok(());
    }
    for residual in &reckoning.residuals {
        writeln!(
            out,
            "    {:.4} m rms, {:.4} m at most, {:.4} rad: {}",
            residual.rms_m, residual.max_m, residual.rms_rad, residual.variant
        )?;
    }
    Ok(())
}
