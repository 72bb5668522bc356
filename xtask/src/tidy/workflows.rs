//! Rules for workflows: actions are pinned by commit, and jobs that may write use none of third parties.

use super::Finding;

pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !path.starts_with(".github/workflows/") {
        return Vec::new();
    }
    let mut found = Vec::new();
    if !text.lines().any(|line| line == "permissions:") {
        found.push((0, "no `permissions:` of the whole workflow".to_owned()));
    }
    for job in jobs(text) {
        let writes = job.iter().any(|(_, line)| line.trim_end().ends_with(": write"));
        for &(number, line) in &job {
            let Some(action) = action(line) else { continue };
            if !is_pinned(action) {
                found.push((number, format!("an action without its commit: {action}")));
            }
            if writes && !action.starts_with("actions/") {
                found.push((number, format!("an action of a third party in a job that may write: {action}")));
            }
        }
    }
    found
}

/// The numbered lines of each job, which starts at a key indented by two blanks.
fn jobs(text: &str) -> Vec<Vec<(usize, &str)>> {
    let lines: Vec<_> = (1..).zip(text.lines()).collect();
    let begins = |line: &str| line.strip_prefix("  ").is_some_and(|key| key.starts_with(char::is_alphabetic));
    lines.chunk_by(|_, next| !begins(next.1)).map(<[_]>::to_vec).collect()
}

/// The action of a step, with the comment that names its version.
fn action(line: &str) -> Option<&str> {
    line.trim_start().trim_start_matches("- ").strip_prefix("uses: ")
}

/// `owner/name@COMMIT # vX.Y.Z`, or a folder of the repository.
fn is_pinned(action: &str) -> bool {
    let Some((_, after)) = action.split_once('@') else { return action.starts_with("./") };
    let Some((commit, version)) = after.split_once(" # v") else { return false };
    commit.len() == 40
        && commit.bytes().all(|b| b.is_ascii_hexdigit())
        && version.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::check;

    const PATH: &str = ".github/workflows/x.yml";
    const COMMIT: &str = "11bd71901bbe5b1630ceea73d27597364c9af683";

    #[test]
    fn an_action_by_its_tag_is_found() {
        let text =
            "permissions:\n  contents: read\njobs:\n  a:\n    steps:\n      - uses: actions/checkout@v4\n";
        assert_eq!(check(PATH, text)[0].0, 6);
        let pinned = text.replace("@v4", &format!("@{COMMIT} # v4.2.2"));
        assert_eq!(check(PATH, &pinned), []);
        assert_eq!(check(PATH, &pinned.replace("permissions:\n  contents: read\n", ""))[0].0, 0);
        assert_eq!(check("README.md", text), []);
    }

    #[test]
    fn a_job_that_writes_runs_no_third_party() {
        let step = format!("    steps:\n      - uses: some/cache@{COMMIT} # v2.8.0\n");
        let rights = "    permissions:\n      contents: write\n";
        let text = format!("permissions:\n  contents: read\njobs:\n  a:\n{step}  b:\n{rights}{step}");
        assert_eq!(check(PATH, &text).iter().map(|found| found.0).collect::<Vec<_>>(), [11]);
    }
}
