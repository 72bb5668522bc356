//! Values of variables, parsed only on request.

pub(crate) mod items;
pub(crate) mod matrix;

use robolog_core::text::Escaped;

pub use self::{
    items::{Item, Items},
    matrix::{Matrix, Values},
};

/// A value, name or source as in the log: any bytes. It compares with text and with bytes.
///
/// ```
/// use alog::RawText;
/// let name = RawText(b"NAV_X");
/// assert!(name == "NAV_X" && "NAV_X" == name && name == b"NAV_X" && name.starts_with(b"NAV_"));
/// let report = RawText(b"NAME=alpha,X=12.5,MODE=MODE@ACTIVE:SURVEYING");
/// assert_eq!(report.get_number("X"), Some(12.5));
/// assert_eq!(report.get("MODE").and_then(RawText::text), Some("MODE@ACTIVE:SURVEYING"));
/// assert_eq!(RawText(b" -3.5 ").number(), Some(-3.5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawText<'a>(pub &'a [u8]);

/// Rules for reading values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Strictness {
    /// `MOOSValFromString` and `MOOSIsNumeric` of core-moos: braces and quotes protect nothing, `1-2` is a number.
    Moos,
    /// `isNumber` and `parseStringQ` of MOOS-IvP: no exponents, quotes and braces protect.
    MoosIvp,
    /// Numbers are decimal numbers, exponents allowed; quotes and all brackets protect.
    #[default]
    Ours,
}

impl Strictness {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Moos, Self::MoosIvp, Self::Ours];

    /// Name of the option's value.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moos => "moos",
            Self::MoosIvp => "moos-ivp",
            Self::Ours => "ours",
        }
    }
}

robolog_core::names!(Strictness, "set of rules");

impl std::ops::Deref for RawText<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

/// Comparison with types that are bytes, both ways.
macro_rules! compare {
    ($([$($n:ident)?] $other:ty),+) => {$(
        impl<$(const $n: usize)?> PartialEq<$other> for RawText<'_> {
            fn eq(&self, other: &$other) -> bool {
                self.0 == AsRef::<[u8]>::as_ref(other)
            }
        }

        impl<$(const $n: usize)?> PartialEq<RawText<'_>> for $other {
            fn eq(&self, other: &RawText<'_>) -> bool {
                other == self
            }
        }
    )+};
}

compare!([] str, [] &str, [] String, [] [u8], [] &[u8], [N] [u8; N], [N] &[u8; N]);

impl<'a> RawText<'a> {
    /// Its bytes.
    pub const fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text, if it is UTF-8.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }

    /// The text, in which invalid UTF-8 is U+FFFD.
    pub(crate) fn to_text(self) -> String {
        // Faster than looking for invalid parts.
        self.text().map_or_else(|| String::from_utf8_lossy(self.0).into_owned(), str::to_owned)
    }

    /// The bytes without blanks and line ends around them.
    pub fn trimmed(self) -> &'a [u8] {
        self.0.trim_ascii()
    }

    /// Whether it is empty or blank.
    pub fn is_empty(self) -> bool {
        self.trimmed().is_empty()
    }

    /// The number, if the whole text is one.
    pub fn number(self) -> Option<f64> {
        number(self.trimmed(), Strictness::Ours)
    }

    /// The same by other rules.
    pub fn number_as(self, strictness: Strictness) -> Option<f64> {
        number(self.trimmed(), strictness)
    }

    /// The items of a list such as `NAME=alpha,X=12.5`, separated by commas.
    pub fn items(self) -> Items<'a> {
        Items::new(self.trimmed(), b',', Strictness::Ours)
    }

    /// The same with another separator, or by other rules. Nested lists are separated by `#`, `:`, `@` or `!`.
    pub fn items_by(self, separator: u8, strictness: Strictness) -> Items<'a> {
        Items::new(self.trimmed(), separator, strictness)
    }

    /// The value after the first `key=`; keys are case sensitive.
    pub fn get(self, key: &str) -> Option<Self> {
        items::find(self.trimmed(), key.as_bytes(), Strictness::Ours)
    }

    /// The values of several keys, which are found in one pass: see [`get`](Self::get).
    ///
    /// ```
    /// let report = alog::RawText(b"NAME=alpha,X=12.5,Y=-3");
    /// let [y, speed, name] = report.get_all(["Y", "Speed", "NAME"]);
    /// assert!(y == Some(alog::RawText(b"-3")) && speed.is_none() && name.is_some());
    /// ```
    pub fn get_all<const N: usize>(self, keys: [&str; N]) -> [Option<Self>; N] {
        items::find_all(self.trimmed(), keys)
    }

    /// The same by other rules.
    pub fn get_as(self, key: &str, strictness: Strictness) -> Option<Self> {
        items::find(self.trimmed(), key.as_bytes(), strictness)
    }

    /// The number after `key=`.
    pub fn get_number(self, key: &str) -> Option<f64> {
        self.get(key)?.number()
    }

    /// The matrix, if the text is one: `[nxm]{...}` or `[n]{...}`.
    pub fn matrix(self) -> Option<Matrix<'a>> {
        Matrix::parse(self.trimmed())
    }

    /// The matrix after `key=`.
    pub fn get_matrix(self, key: &str) -> Option<Matrix<'a>> {
        self.get(key)?.matrix()
    }

    /// The pointer into a `.blog` file, if it is one: name, offset, length in bytes.
    pub fn binary(self) -> Option<(&'a [u8], u64, u64)> {
        let inner = self.trimmed().strip_prefix(b"<MOOS_BINARY>")?.strip_suffix(b"</MOOS_BINARY>")?;
        let inner = RawText(inner);
        let count = |key| std::str::from_utf8(inner.get(key)?.0).ok()?.parse().ok();
        Some((inner.get("File")?.0, count("Offset")?, count("Bytes")?))
    }
}

/// The number, if the whole text is one.
fn number(text: &[u8], strictness: Strictness) -> Option<f64> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    match strictness {
        Strictness::Ours => robolog_core::text::number(text),
        Strictness::MoosIvp => {
            let dots = memchr::memchr_iter(b'.', digits).count();
            let plain = digits.iter().all(|b| b.is_ascii_digit() || *b == b'.');
            let any = digits.iter().any(u8::is_ascii_digit);
            (plain && any && dots <= 1)
                .then(|| fast_float2::parse(text.strip_prefix(b"+").unwrap_or(text)).ok())?
        }
        Strictness::Moos => {
            let all = !text.is_empty() && text.iter().all(|b| b"1234567890.eE-+".contains(b));
            // As atof: the longest prefix, or 0 without one.
            all.then(|| {
                fast_float2::parse_partial(text.strip_prefix(b"+").unwrap_or(text)).map_or(0.0, |(n, _)| n)
            })
        }
    }
}

impl std::fmt::Debug for RawText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\"", Escaped(self.0))
    }
}
