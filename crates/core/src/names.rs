//! Enumerations that people type and read by name.

use std::fmt;

/// An unknown name.
///
/// ```
/// use robolog_core::Clock;
/// assert_eq!("gps".parse(), Ok(Clock::Gps));
/// let error = "utc".parse::<Clock>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown clock \"utc\", expected one of unix, gps, device, relative");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    what: &'static str,
    name: String,
    known: Vec<&'static str>,
}

impl UnknownName {
    /// `name` is not among the `known` names of a `what`.
    pub fn new(what: &'static str, name: &str, known: impl IntoIterator<Item = &'static str>) -> Self {
        Self { what, name: name.to_owned(), known: known.into_iter().collect() }
    }

    /// The valid names.
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} {:?}, expected one of {}", self.what, self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// `ALL`, `name`, `Display` and `FromStr` of an enumeration, from a name for each value. The text names the enumeration
/// in errors: `names!(Clock, "clock", Unix = "unix", Gps = "gps")`. Without names, only the last two, from an existing
/// `ALL` and `name`.
#[macro_export]
macro_rules! names {
    ($type:ty, $what:literal, $($value:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// All values.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$value),+];

            /// The name used to select it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        $crate::names!($type, $what);
    };
    ($type:ty, $what:literal) => {
        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = $crate::format::UnknownName;

            fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|value| value.name() == name);
                found.copied().ok_or_else(|| {
                    $crate::format::UnknownName::new($what, name, Self::ALL.iter().map(|value| value.name()))
                })
            }
        }
    };
}
