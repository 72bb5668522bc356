//! Writing LVX.

use lvx::{Lvx, StreamReader};

use super::lvx::each_version;
use testkit::laws;

/// Findings about frame headers, which are rewritten.
const MENDED: [&str; 3] = ["offset-chain", "package-count", "frame-header"];

each_version!(rewrite);

/// Recovers the bytes, copies the result, and merges it with itself.
fn rewrite(data: &[u8]) {
    laws::whole_files_are_copied_as_they_are::<Lvx>(data, &MENDED);
    let Some(recovered) = laws::what_is_recovered_is_whole::<Lvx>(data, &MENDED) else { return };
    let packages = |file: &[u8]| {
        let summary = robolog_core::survey(&mut StreamReader::new(file).unwrap()).unwrap();
        summary.details.packages
    };
    assert_eq!(packages(&recovered), packages(data), "packages are lost on the way");

    let inputs = vec![StreamReader::new(data).unwrap(), StreamReader::new(&recovered[..]).unwrap()];
    // Refused if both together list too many devices.
    let Ok((merged, report)) = lvx::merge(inputs, Vec::new()) else { return };
    assert_eq!(report.inputs[1].faults, 0, "what was recovered is damaged");
    laws::is_whole::<Lvx>(&merged, &MENDED);
    assert_eq!(packages(&merged), report.inputs[0].packages + report.inputs[1].packages);
    assert_eq!(packages(&merged), 2 * packages(&recovered), "packages are lost in the merger");
}
