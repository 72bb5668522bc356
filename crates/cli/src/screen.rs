//! Standard output for people: width, colours, line breaks.

use std::io::{self, IsTerminal as _};

use anstyle::{AnsiColor, Style};

use crate::progress::{Context, When};

/// The layout of text for people.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    /// Columns per line.
    pub(crate) width: usize,
    kind: Medium,
    colors: Colors,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Terminal,
    Pipe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colors {
    Used,
    Unused,
}

/// The role of a piece of text, which sets its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// A name or a heading.
    Head,
    /// Less important.
    Dim,
    Good,
    Odd,
    Bad,
}

/// Columns without a terminal.
const PIPE: usize = 100;
/// Minimum width assumed for a terminal.
const NARROWEST: usize = 40;

impl Screen {
    /// Standard output, with `--color`, `NO_COLOR` and terminal detection.
    pub(crate) fn stdout(context: Context) -> Self {
        let stdout = io::stdout();
        let use_colors = match context.color {
            When::Always => true,
            When::Never => false,
            // Reads NO_COLOR, CLICOLOR and TERM too.
            When::Auto => anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never,
        };
        let size = terminal_size::terminal_size_of(&stdout);
        let is_terminal = stdout.is_terminal();
        let width = size.map(|(width, _)| usize::from(width.0)).filter(|_| is_terminal);
        Self {
            width: width.map_or(PIPE, |width| width.max(NARROWEST)),
            kind: if is_terminal { Medium::Terminal } else { Medium::Pipe },
            colors: if use_colors { Colors::Used } else { Colors::Unused },
        }
    }

    #[cfg(test)]
    pub(crate) fn terminal(width: usize) -> Self {
        Self { width, kind: Medium::Terminal, colors: Colors::Unused }
    }

    #[cfg(test)]
    pub(crate) fn pipe() -> Self {
        Self { width: PIPE, kind: Medium::Pipe, colors: Colors::Unused }
    }

    #[cfg(test)]
    pub(crate) fn colored(self) -> Self {
        Self { colors: Colors::Used, ..self }
    }

    /// Whether colours are used.
    pub(crate) fn has_colors(self) -> bool {
        self.colors == Colors::Used
    }

    /// Colours text.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        if self.colors == Colors::Unused || text.is_empty() {
            return text.to_owned();
        }
        let style = match tone {
            Tone::Head => Style::new().bold(),
            Tone::Dim => Style::new().dimmed(),
            Tone::Good => AnsiColor::Green.on_default(),
            Tone::Odd => AnsiColor::Yellow.on_default(),
            Tone::Bad => AnsiColor::Red.on_default().bold(),
        };
        format!("{style}{text}{style:#}")
    }

    /// The columns for a name that needs `wanted`, beside `others` columns.
    pub(crate) fn room(self, wanted: usize, others: usize) -> usize {
        match self.kind {
            Medium::Pipe => wanted,
            Medium::Terminal => wanted.min(self.width.saturating_sub(others)),
        }
    }

    /// A name in at most `room` columns: shortened in the middle on a terminal, never in a pipe.
    pub(crate) fn fit(self, name: &str, room: usize) -> String {
        let len = columns(name);
        if self.kind == Medium::Pipe || len <= room {
            return name.to_owned();
        }
        let kept = room.max(3) - 1;
        let tail = kept / 2;
        let head = kept - tail;
        let start: String = name.chars().take(head).collect();
        let end: String = name.chars().skip(len - tail).collect();
        format!("{start}…{end}")
    }

    /// A label and the parts of a list, wrapped; further lines are indented to the first part.
    pub(crate) fn wrap(self, label: &str, parts: &[String]) -> String {
        let indent = columns(label);
        let mut out = label.to_owned();
        let mut at = indent;
        for (i, part) in parts.iter().enumerate() {
            let len = columns(part);
            let is_last = i + 1 == parts.len();
            // A comma and a blank come before it, a comma after it.
            let room = self.width.saturating_sub(usize::from(!is_last));
            if i > 0 && at + len + 2 > room {
                out.push_str(",\n");
                out.push_str(&" ".repeat(indent));
                at = indent;
            } else if i > 0 {
                out.push_str(", ");
                at += 2;
            }
            out.push_str(part);
            at += len;
        }
        out.push('\n');
        out
    }

    /// A line, wrapped between words on a terminal; further lines are indented by `indent` columns.
    pub(crate) fn paragraph(self, line: &str, indent: usize) -> String {
        let mut out = String::new();
        let mut at = 0_usize;
        for word in line.split_inclusive(' ') {
            let end = at + columns(word.trim_end());
            if self.kind == Medium::Terminal && end > self.width && at > indent {
                out.truncate(out.trim_end().len());
                out.push('\n');
                out.push_str(&" ".repeat(indent));
                at = indent;
            }
            out.push_str(word);
            at += columns(word);
        }
        out
    }
}

/// Columns that text takes on a terminal; wide characters count as one.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Pads text on the right to `width` columns.
pub(crate) fn pad(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

/// Pads text on the left.
pub(crate) fn pad_left(text: &str, width: usize) -> String {
    format!("{text:>width$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle_on_a_narrow_terminal_alone() {
        let name = "Bus_InterfaceCamera_2672909685359666/images";
        let cut = Screen::terminal(40).fit(name, 20);
        assert_eq!((cut.as_str(), columns(&cut)), ("Bus_Interf…66/images", 20));
        assert_eq!(Screen::terminal(40).fit("short", 20), "short");
        assert_eq!(Screen::pipe().fit(name, 20), name);
    }

    #[test]
    fn lists_wrap_below_their_first_part() {
        let parts: Vec<String> = (0..10).map(|n| format!("part {n}")).collect();
        let text = Screen::terminal(40).wrap("  label  ", &parts);
        assert!(text.lines().all(|line| columns(line) <= 40), "{text}");
        assert_eq!(text.lines().next().unwrap(), "  label  part 0, part 1, part 2, part 3,");
        assert!(text.lines().skip(1).all(|line| line.starts_with("         part ")), "{text}");
    }

    #[test]
    fn a_list_that_fills_the_line_stays_on_it_and_one_column_more_does_not() {
        let parts = ["a".repeat(18), "b".repeat(18)];
        let fits = Screen::terminal(40).wrap("  ", &parts);
        assert_eq!(fits.lines().map(columns).collect::<Vec<_>>(), [40]);
        let wraps = Screen::terminal(40).wrap("   ", &parts);
        assert_eq!(wraps.lines().map(columns).collect::<Vec<_>>(), [22, 21]);
    }

    #[test]
    fn a_long_line_is_cut_between_words_on_a_terminal_alone() {
        let line = "  error: truncated at 0xaadb3: the input ends 1189 bytes too early";
        let cut = Screen::terminal(40).paragraph(line, 4);
        assert_eq!(cut, "  error: truncated at 0xaadb3: the input\n    ends 1189 bytes too early");
        assert_eq!(Screen::pipe().paragraph(line, 4), line);
        let word = "x".repeat(50);
        assert_eq!(Screen::terminal(40).paragraph(&word, 4), word);
    }

    #[test]
    fn colours_are_escapes_around_the_text_or_nothing() {
        assert_eq!(Screen::pipe().paint(Tone::Bad, "damaged"), "damaged");
        let red = Screen::pipe().colored().paint(Tone::Bad, "damaged");
        assert!(red.starts_with("\x1b[") && red.contains("damaged") && red.ends_with("\x1b[0m"), "{red:?}");
    }
}
