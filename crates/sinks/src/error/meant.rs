//! Names that somebody may have meant.

/// Names of other programs' formats, and the targets to write instead.
const ELSEWHERE: &[(&str, &[&str])] = &[
    ("asc", &["xyz", "pcd"]),
    ("db3", &["mcap", "bag"]),
    ("feather", &["arrow", "parquet"]),
    ("gpkg", &["geojson", "gpx", "kml"]),
    ("h5", &["parquet", "arrow", "csv"]),
    ("hdf5", &["parquet", "arrow", "csv"]),
    ("ipc", &["arrow"]),
    ("json", &["jsonl", "geojson"]),
    ("log", &["carla-rec", "koblenz-log", "alog"]),
    ("mat", &["csv", "parquet"]),
    ("npy", &["parquet", "csv"]),
    ("npz", &["parquet", "csv"]),
    ("obj", &["ply", "pcd"]),
    ("pts", &["xyz", "ply"]),
    ("ros", &["bag", "mcap"]),
    ("ros2", &["mcap", "bag"]),
    ("shp", &["geojson", "gpx", "kml"]),
    ("stl", &["ply", "pcd"]),
    ("tsv", &["csv", "parquet"]),
    ("txt", &["tum", "xyz", "csv"]),
    ("xls", &["csv", "parquet"]),
    ("xlsx", &["csv", "parquet"]),
];

/// Minimum similarity for a suggestion; 1 is equality.
const LIKE: f64 = 0.75;
/// Suggestions at most.
const FEW: usize = 3;
/// Names at most that are listed where nothing is similar.
const LISTED: usize = 12;

/// Returns the known name most similar to a wrong one, if any is similar enough.
///
/// ```
/// let channels = ["NAV_X", "NAV_Y", "DEPTH"];
/// assert_eq!(robolog_sinks::nearest("nav_x", channels), Some("NAV_X"));
/// assert_eq!(robolog_sinks::nearest("heave", channels), None);
/// ```
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    similar(name, known).into_iter().next()
}

/// The known names that are similar to a wrong one, the most similar first.
fn similar<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = name.to_lowercase();
    let near = |other: &'n str| (strsim::jaro_winkler(&wanted, &other.to_lowercase()), other);
    let mut near: Vec<_> = known.into_iter().map(near).filter(|(likeness, _)| *likeness > LIKE).collect();
    // Of equal ones the last, as `max_by` has it.
    near.reverse();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.into_iter().map(|(_, name)| name).collect()
}

/// Whether there are too many names to list them in a message.
pub(super) fn are_many(known: &str) -> bool {
    known.split(", ").count() > LISTED
}

/// A few names of targets that a wrong one may mean, or all where they are few, as the rest of a sentence.
pub(super) fn meant(name: &str, all: &str) -> String {
    let name = name.trim_start_matches('.');
    let known: Vec<&str> = all.split(", ").collect();
    let elsewhere = ELSEWHERE.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
    let mut few: Vec<&str> = elsewhere.flat_map(|(_, targets)| *targets).copied().collect();
    few.retain(|target| known.contains(target));
    for like in similar(name, known.iter().copied()) {
        if !few.contains(&like) {
            few.push(like);
        }
    }
    few.truncate(FEW);
    match few.split_last() {
        Some((only, [])) => format!("; did you mean {only}?"),
        Some((last, others)) => format!("; did you mean {} or {last}?", others.join(", ")),
        None if !are_many(all) => format!("; choose one of {all}"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::meant;

    const KNOWN: &str =
        "pcd, ply, xyz, kitti-bin, csv, jsonl, tum, kitti, las, laz, copc, e57, mcap, bag, alog, lvx";

    #[test]
    fn three_names_at_most_are_proposed() {
        assert_eq!(meant(".lasz", KNOWN), "; did you mean las or laz?");
        assert_eq!(meant(".txt", KNOWN), "; did you mean tum, xyz or csv?");
        assert_eq!(meant("db3", KNOWN), "; did you mean mcap or bag?");
        assert_eq!(meant("mcpa", KNOWN), "; did you mean mcap?");
        assert_eq!(meant("quatsch", KNOWN), "");
        assert_eq!(meant("quatsch", "csv, parquet"), "; choose one of csv, parquet");
    }
}
