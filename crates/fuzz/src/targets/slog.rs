//! Synchronous logs of MOOS.

use alog::slog::Table;

pub(super) const SEEDS: &[&str] = &[
    "%% LOG FILE: x\n%% LOGSTART 1714983600.5\n%%   (2) NAV_X\n%%   (3) NAV_Y\n%% TIME NAV_X NAV_Y\n0.5701 NaN 1\n1.5 2e3 -0\n",
    "%% LOGSTART 0\n%%   (1) TIME\n%%   (2) A\n0 1\n\n  3   4  \n",
];

/// All rows have one value per column, and errors are within the text.
pub(super) fn slog(data: &[u8]) {
    let Ok(table) = Table::new(data) else { return };
    let columns = table.columns().count();
    let (mut rows, mut times) = (0, 0);
    for row in table.rows() {
        rows += 1;
        match row {
            Ok(row) => {
                assert_eq!(row.values.len(), columns);
                times += usize::from(row.time.is_finite());
            }
            Err(error) => assert!(error.offset() <= data.len() as u64, "{error}: behind the end"),
        }
    }
    let lines = data.split(|byte| *byte == b'\n').count();
    assert!(times <= rows && rows <= lines, "{rows} rows of {lines} lines");
}
