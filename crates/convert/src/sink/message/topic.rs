//! Topic names of ROS.

use std::collections::HashSet;

/// Names that are in use, so that what differs in a recording does not become one topic.
#[derive(Debug, Clone)]
pub(super) struct Names(HashSet<String>);

/// Names of the middleware end at 255 bytes and begin with a few of its own.
const LONGEST: usize = 200;

impl Names {
    /// `taken` are names that no channel gets.
    pub(super) fn new(taken: impl IntoIterator<Item = &'static str>) -> Self {
        Self(taken.into_iter().map(str::to_owned).collect())
    }

    /// A topic for a channel, with a number behind it where the name is in use.
    pub(super) fn topic(&mut self, channel: &str) -> String {
        let name = topic(channel);
        self.unused(&name)
    }

    /// `name`, with an underscore and a number behind it where it is in use.
    pub(super) fn unused(&mut self, name: &str) -> String {
        self.numbered(name, "_")
    }

    /// `name`, with `between` and a number behind it where it is in use.
    pub(super) fn numbered(&mut self, name: &str, between: &str) -> String {
        let mut unused = name.to_owned();
        let mut number = 2_u64;
        while !self.0.insert(unused.clone()) {
            unused = format!("{name}{between}{number}");
            number += 1;
        }
        unused
    }
}

/// A slash and the channel's name, each of its parts a [`token`].
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

/// Letters, digits and single underscores, with a letter first: a digit there is not allowed, and what begins with an
/// underscore is hidden. Everything else becomes an underscore.
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

/// The name of a field of a message: a [`token`] in lower case.
pub(super) fn field(name: &str) -> String {
    token(name).to_ascii_lowercase()
}

/// The name of a message type: a [`token`] without underscores, each part with a capital first, and no others where
/// all letters are capitals.
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
