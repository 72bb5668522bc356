//! What variables hold: nothing is parsed until it is asked for.

pub(crate) mod items;
pub(crate) mod matrix;

use robolog_core::text::Escaped;

pub use self::{
    items::{Item, Items},
    matrix::{Matrix, Values},
};

/// A value, a name or a source as it stands in the log: any bytes. It compares with text and with bytes.
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

/// Whose rules a value is read by.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Moos, Self::MoosIvp, Self::Ours];

    /// The name by which it is chosen.
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

/// Comparison with what is bytes as they stand, both ways.
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

    /// Its text where it is UTF-8.
    pub fn text(self) -> Option<&'a str> {
        std::str::from_utf8(self.0).ok()
    }

    /// Without blanks and ends of lines around it.
    pub fn trimmed(self) -> &'a [u8] {
        self.0.trim_ascii()
    }

    /// Whether it holds nothing but blanks.
    pub fn is_empty(self) -> bool {
        self.trimmed().is_empty()
    }

    /// The number that it is as a whole.
    pub fn number(self) -> Option<f64> {
        number(self.trimmed(), Strictness::Ours)
    }

    /// The same by the rules of others.
    pub fn number_as(self, strictness: Strictness) -> Option<f64> {
        number(self.trimmed(), strictness)
    }

    /// The items of a list such as `NAME=alpha,X=12.5`, separated by commas.
    pub fn items(self) -> Items<'a> {
        Items::new(self.trimmed(), b',', Strictness::Ours)
    }

    /// The same with another separator, or by the rules of others. Lists within lists are separated by `#`, `:`, `@`
    /// or `!`.
    pub fn items_by(self, separator: u8, strictness: Strictness) -> Items<'a> {
        Items::new(self.trimmed(), separator, strictness)
    }

    /// The value behind `key=`, the first one where there are several; keys are compared as they stand.
    pub fn get(self, key: &str) -> Option<Self> {
        items::find(self.trimmed(), key.as_bytes(), Strictness::Ours)
    }

    /// The same by the rules of others.
    pub fn get_as(self, key: &str, strictness: Strictness) -> Option<Self> {
        items::find(self.trimmed(), key.as_bytes(), strictness)
    }

    /// The number behind `key=`.
    pub fn get_number(self, key: &str) -> Option<f64> {
        self.get(key)?.number()
    }

    /// The matrix that it is: `[nxm]{...}` or `[n]{...}`.
    pub fn matrix(self) -> Option<Matrix<'a>> {
        Matrix::parse(self.trimmed())
    }

    /// The matrix behind `key=`.
    pub fn get_matrix(self, key: &str) -> Option<Matrix<'a>> {
        self.get(key)?.matrix()
    }

    /// Whether it points into a `.blog` file: name, offset, bytes.
    pub fn binary(self) -> Option<(&'a [u8], u64, u64)> {
        let inner = self.trimmed().strip_prefix(b"<MOOS_BINARY>")?.strip_suffix(b"</MOOS_BINARY>")?;
        let inner = RawText(inner);
        let count = |key| std::str::from_utf8(inner.get(key)?.0).ok()?.parse().ok();
        Some((inner.get("File")?.0, count("Offset")?, count("Bytes")?))
    }
}

/// A number as a whole.
fn number(text: &[u8], strictness: Strictness) -> Option<f64> {
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    match strictness {
        Strictness::Ours => {
            let first = digits.first()?;
            if !(first.is_ascii_digit() || *first == b'.') {
                return None;
            }
            fast_float2::parse(text.strip_prefix(b"+").unwrap_or(text)).ok()
        }
        Strictness::MoosIvp => {
            let dots = memchr::memchr_iter(b'.', digits).count();
            let plain = digits.iter().all(|b| b.is_ascii_digit() || *b == b'.');
            let any = digits.iter().any(u8::is_ascii_digit);
            (plain && any && dots <= 1)
                .then(|| fast_float2::parse(text.strip_prefix(b"+").unwrap_or(text)).ok())?
        }
        Strictness::Moos => {
            let all = !text.is_empty() && text.iter().all(|b| b"1234567890.eE-+".contains(b));
            // atof: as far as it goes, and 0 where that is nowhere.
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
