//! Codecs of fields. The text in a codec names the field in errors.

use super::{
    super::{Coordinate, Date, Decimal, Time, sentence::Builder},
    Cursor,
};

/// Reads and writes a field, or several that belong together. An empty field is `None`.
pub(in super::super) trait Codec<'a, T> {
    fn read(self, c: &mut Cursor<'a>) -> Option<T>;
    fn write(self, b: &mut Builder, value: Option<T>);
}

macro_rules! codecs {
    ($(
        $(#[$doc:meta])*
        $name:ident $(($($arg:ident: $arg_ty:ty),+))? is $ty:ty {
            read |$c:ident| $read:expr;
            write |$b:ident, $value:ident| $write:expr;
        }
    )+) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(in super::super) struct $name $(($(pub(in super::super) $arg_ty),+))?;

        impl<'a> Codec<'a, $ty> for $name {
            #[inline]
            fn read(self, $c: &mut Cursor<'a>) -> Option<$ty> {
                $(let Self($($arg),+) = self;)?
                $read
            }

            #[allow(unused_variables, reason = "what names a field in errors is not written")]
            fn write(self, $b: &mut Builder, $value: Option<$ty>) {
                $(let Self($($arg),+) = self;)?
                $write;
            }
        }
    )+ };
}

codecs! {
    /// `hhmmss.ss`.
    TimeOfDay is Time {
        read |c| c.time();
        write |b, value| b.field(value);
    }
    /// `ddmmyy`.
    Day is Date {
        read |c| c.date();
        write |b, value| b.field(value.map(Date::short));
    }
    /// Three fields, the year with its century.
    DayMonthYear is Date {
        read |c| {
            let (day, month, year) = (c.integer("day"), c.integer("month"), c.integer("year"));
            Date::new(year?, month?, day?)
        };
        write |b, value| {
            let two = |n: u8| format!("{n:02}");
            b.field(value.map(|date| two(date.day))).field(value.map(|date| two(date.month)));
            b.field(value.map(|date| format!("{:04}", date.year)))
        };
    }
    /// `ddmm.mm`, and N or S.
    Latitude is Coordinate {
        read |c| c.latitude();
        write |b, value| b.coordinate(value, ['N', 'S']);
    }
    /// `dddmm.mm`, and E or W.
    Longitude is Coordinate {
        read |c| c.longitude();
        write |b, value| b.coordinate(value, ['E', 'W']);
    }
    /// A number.
    Number(what: &'static str) is Decimal {
        read |c| c.decimal(what);
        write |b, value| b.field(value);
    }
    /// A number, followed by its unit if the number is present.
    Measured(what: &'static str, unit: char) is Decimal {
        read |c| c.with_unit(what, unit);
        write |b, value| b.field(value).field(value.map(|_| unit));
    }
    /// A number and its unit, which is always written.
    WithUnit(what: &'static str, unit: char) is Decimal {
        read |c| c.with_unit(what, unit);
        write |b, value| b.field(value).field(Some(unit));
    }
    /// The first such number in a sentence, which had no units before NMEA 2.
    FirstWithUnit(what: &'static str, unit: char) is Decimal {
        read |c| {
            c.look_for_units();
            c.with_unit(what, unit)
        };
        write |b, value| WithUnit(what, unit).write(b, value);
    }
    /// One character.
    Letter(what: &'static str) is char {
        read |c| c.letter(what);
        write |b, value| b.field(value);
    }
    /// A text.
    Text(what: &'static str) is &'a str {
        read |c| c.text(what);
        write |b, value| b.field(value);
    }
    /// At most two hexadecimal digits: the number of a signal or system.
    Hex(what: &'static str) is u8 {
        read |c| c.hex(what);
        write |b, value| b.field(value.map(|n| format!("{n:X}")));
    }
    /// Hours or minutes with two digits, and a minus sign if negative.
    Zone(what: &'static str) is i8 {
        read |c| c.integer(what);
        write |b, value| {
            let text = |n: i8| format!("{}{:02}", if n < 0 { "-" } else { "" }, n.unsigned_abs());
            b.field(value.map(text))
        };
    }
    /// A count, written with two digits.
    Count(what: &'static str) is u16 {
        read |c| c.integer(what);
        write |b, value| b.field(value.map(|n| format!("{n:02}")));
    }
    /// A digit.
    Integer(what: &'static str) is u8 {
        read |c| c.integer(what);
        write |b, value| b.field(value);
    }
}
