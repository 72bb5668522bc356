#![doc = include_str!("guide.md")]
#![expect(clippy::doc_markdown, reason = "names of programs are no code")]

pub mod formats;
pub mod tutorial;

#[doc = include_str!("add_a_format.md")]
pub mod add_a_format {}

#[doc = include_str!("add_a_target.md")]
pub mod add_a_target {}

#[doc = include_str!("units_and_frames.md")]
pub mod units_and_frames {}

#[doc = include_str!("reliability.md")]
pub mod reliability {}

#[doc = include_str!("comparison.md")]
pub mod comparison {}

#[doc = include_str!("catalog.md")]
pub mod catalog {}

#[doc = include_str!("events.md")]
pub mod events {}

#[doc = include_str!("tasks.md")]
pub mod tasks {}

#[doc = include_str!("coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("speed.md")]
#[doc = ""]
#[doc = include_str!("benchmarks.md")]
pub mod speed {}

#[cfg(test)]
mod tests {
    #[test]
    fn the_format_of_the_page_is_the_example() {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/examples/tiny.rs");
        let example = std::fs::read_to_string(example).unwrap();
        let (_, code) = example.split_once("\nuse std::{").unwrap();
        assert!(include_str!("add_a_format.md").contains(code.trim_end()));
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        assert!(example.lines().filter(is_code).count() <= 120);
    }
}
