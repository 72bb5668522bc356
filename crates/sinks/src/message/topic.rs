//! ROS topic names.

use std::collections::HashSet;

use crate::naming;

/// Names in use, so that different channels get different topics.
#[derive(Debug, Clone)]
pub(super) struct Names(HashSet<String>);

/// Middleware names are limited to 255 bytes, including a prefix.
const LONGEST: usize = 200;

impl Names {
    /// Reserves the names `taken`.
    pub(super) fn new(taken: impl IntoIterator<Item = &'static str>) -> Self {
        Self(taken.into_iter().map(str::to_owned).collect())
    }

    /// Returns a topic name for a channel, numbered if in use.
    pub(super) fn topic(&mut self, channel: &str) -> String {
        let name = topic(channel);
        self.unused(&name)
    }

    /// Returns `name`, with an underscore and a number if in use.
    pub(super) fn unused(&mut self, name: &str) -> String {
        self.numbered(name, "_")
    }

    /// Returns `name`, with `between` and a number if in use.
    pub(super) fn numbered(&mut self, name: &str, between: &str) -> String {
        naming::unused(name, between, |name| self.0.insert(name.to_owned()))
    }
}

/// A slash and the channel's name, each part a [`token`].
fn topic(channel: &str) -> String {
    let mut topic = String::new();
    for part in channel.split('/').filter(|part| !part.is_empty()) {
        let token = token(part);
        if topic.len() + token.len() >= LONGEST {
            break;
        }
        topic.push('/');
        topic.push_str(&token);
    }
    if topic.is_empty() { "/unnamed".to_owned() } else { topic }
}

/// Replaces everything but letters and digits with single underscores. Starts with a letter: ROS forbids leading digits
/// and hides names with leading underscores.
pub(super) fn token(part: &str) -> String {
    let mut token = String::new();
    for c in part.chars().take(LONGEST / 2) {
        let c = if c.is_ascii_alphanumeric() { c } else { '_' };
        if token.is_empty() && !c.is_ascii_alphabetic() {
            token.push_str(if c == '_' { "id" } else { "id_" });
        }
        if !(c == '_' && token.ends_with('_')) {
            token.push(c);
        }
    }
    let len = token.trim_end_matches('_').len();
    token.truncate(len);
    if token.is_empty() { "id".to_owned() } else { token }
}

/// Field name of a message: a [`token`] in lower case.
pub(super) fn field(name: &str) -> String {
    token(name).to_ascii_lowercase()
}

/// Name of a message type: a [`token`] without underscores, each part capitalised; names in all capitals are lowered
/// first.
pub(super) fn type_name(name: &str) -> String {
    let token = token(name);
    let lower = !token.contains(|c: char| c.is_ascii_lowercase());
    let mut capital = true;
    let mut out = String::new();
    for c in token.chars() {
        if c == '_' {
            capital = true;
        } else {
            let small = if lower { c.to_ascii_lowercase() } else { c };
            out.push(if capital { c.to_ascii_uppercase() } else { small });
            capital = false;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_valid_names() {
        let want = [
            ("3WEDH7600101501/points", "/id_3WEDH7600101501/points"),
            ("NAV_X", "/NAV_X"),
            ("actor_7/poses", "/actor_7/poses"),
            ("//a b__c-/", "/a_b_c"),
            ("_x/ä/9", "/id_x/id/id_9"),
            ("", "/unnamed"),
            ("/", "/unnamed"),
        ];
        for (channel, name) in want {
            assert_eq!(topic(channel), name);
        }
        assert!([5000, 20].iter().all(|n| topic(&"x/y".repeat(*n)).len() <= LONGEST));
        assert_eq!(type_name("vehicle_lights"), "VehicleLights");
        assert_eq!(["NODE_REPORT", "nodeReport", "7"].map(type_name), ["NodeReport", "NodeReport", "Id7"]);
        assert_eq!(field("Time (s)"), "time_s");
    }

    #[test]
    fn names_in_use_get_a_number() {
        let mut names = Names::new(["/tf"]);
        assert_eq!(
            ["a b", "a_b", "tf", "a/b", "a b"].map(|c| names.topic(c)),
            ["/a_b", "/a_b_2", "/tf_2", "/a/b", "/a_b_3"]
        );
    }
}
