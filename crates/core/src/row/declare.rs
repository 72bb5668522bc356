//! Declared rows: names, types and units of columns next to the fields that fill them.

use std::borrow::Cow;

use crate::{Cell, Field, FieldKind, Result, Row};

/// A structure whose fields are the columns of a table, declared by [`row!`](crate::row!).
pub trait Columns: Sized {
    /// The columns, in order.
    fn fields() -> &'static [Field];

    /// Writes the cells over the first of those of an earlier row, whose memory is reused. Writes none if they are too few.
    fn put_cells(self, cells: &mut [Cell]);

    /// The cells.
    fn into_cells(self) -> Vec<Cell>;

    /// As a row; all rows of a type share their columns.
    fn into_row(self) -> Row;
}

/// A possible field of a declared row: a bool, a number, text, or an option of these.
pub trait CellValue: Sized {
    /// Type of the column's cells.
    const KIND: FieldKind;

    /// The value as a cell.
    fn into_cell(self) -> Cell;

    /// Makes the cell this value. Texts are written in the memory of the last one.
    #[inline]
    fn put(self, cell: &mut Cell) {
        *cell = self.into_cell();
    }
}

/// Text from which consecutive columns of type `T` are read.
pub trait ReadColumn<T> {
    /// Reads the next column.
    fn read(&mut self) -> Result<T>;
}

/// Text to which consecutive columns of type `T` are written.
pub trait WriteColumn<T> {
    /// Writes the next column.
    fn write(&mut self, value: &T);
}

macro_rules! values {
    ($($kind:ident: $($value:ty),+;)+) => { $($(
        impl CellValue for $value {
            const KIND: FieldKind = FieldKind::$kind;

            #[inline]
            fn into_cell(self) -> Cell {
                Cell::from(self)
            }
        }
    )+)+ };
}

values! {
    Bool: bool;
    Int: i64, i32, i16, i8, u32, u16, u8;
    Float: f64, f32;
    Text: String;
}

macro_rules! texts {
    ($($text:ty),+) => { $(
        impl CellValue for $text {
            const KIND: FieldKind = FieldKind::Text;

            fn into_cell(self) -> Cell {
                Cell::Text(self.into())
            }

            fn put(self, cell: &mut Cell) {
                cell.set_text(&self);
            }
        }
    )+ };
}

texts!(&'static str, Cow<'static, str>);

impl<T: CellValue> CellValue for Option<T> {
    const KIND: FieldKind = T::KIND;

    #[inline]
    fn into_cell(self) -> Cell {
        self.map_or(Cell::Null, CellValue::into_cell)
    }

    #[inline]
    fn put(self, cell: &mut Cell) {
        match self {
            Some(value) => value.put(cell),
            None => *cell = Cell::Null,
        }
    }
}

/// A column of values of type `T`; an empty unit means none. Called by [`row!`](crate::row!).
#[doc(hidden)]
pub const fn column<T: CellValue>(name: &'static str, unit: &'static str) -> Field {
    let field = Field::new(name, T::KIND);
    if unit.is_empty() { field } else { field.with_unit(unit) }
}

/// Declares rows: a struct whose fields are the columns of a table. Each line has the column's name if it differs from
/// the field's, its type, unit, docs, and how it is read from text and written.
///
/// ```
/// use robolog_core::{Cell, Columns, Result, format::{ReadColumn, WriteColumn}};
///
/// robolog_core::row! {
///     /// Steering of a vehicle.
///     #[derive(Copy, Default)]
///     pub struct Steering {
///         /// Time of the encoder reading.
///         pub time: i64 = "Rtime" ["us"],
///         /// Angle of the front wheels, counter-clockwise.
///         pub angle: f64 ["rad"],
///     }
/// }
///
/// let row = Steering { time: 7, angle: 0.5 };
/// let row = row.into_row();
/// assert_eq!(row.get("Rtime"), Some(&Cell::Int(7)));
/// assert_eq!(row.fields[1].unit.as_deref(), Some("rad"));
///
/// // A text format defines how its columns look.
/// struct Words<'a>(std::str::SplitWhitespace<'a>);
/// impl<T: std::str::FromStr + Default> ReadColumn<T> for Words<'_> {
///     fn read(&mut self) -> Result<T> {
///         Ok(self.0.next().and_then(|word| word.parse().ok()).unwrap_or_default())
///     }
/// }
/// struct Printed(String);
/// impl<T: std::fmt::Display> WriteColumn<T> for Printed {
///     fn write(&mut self, value: &T) {
///         self.0 += &format!("{value} ");
///     }
/// }
/// let read = Steering::read_columns(&mut Words("7 0.5".split_whitespace()))?;
/// let mut text = Printed(String::new());
/// read.write_columns(&mut text);
/// assert_eq!(text.0, "7 0.5 ");
/// # Ok::<(), robolog_core::Error>(())
/// ```
#[macro_export]
macro_rules! row {
    ($(
        $(#[$attr:meta])*
        $vis:vis struct $name:ident {
            $($(#[$field_attr:meta])* $field_vis:vis $field:ident: $ty:ty $(= $column:literal)? $([$unit:literal])?,)+
        }
    )+) => { $(
        $(#[$attr])*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $($(#[$field_attr])* $field_vis $field: $ty,)+
        }

        impl $name {
            /// Reads the columns in order.
            #[inline]
            #[allow(dead_code, reason = "only formats of text read columns")]
            $vis fn read_columns<R>(text: &mut R) -> $crate::Result<Self>
            where
                $(R: $crate::format::ReadColumn<$ty>,)+
            {
                Ok(Self { $($field: $crate::format::ReadColumn::<$ty>::read(text)?,)+ })
            }

            /// Writes the columns in order.
            #[allow(dead_code, reason = "only formats of text write columns")]
            $vis fn write_columns<W>(&self, text: &mut W)
            where
                $(W: $crate::format::WriteColumn<$ty>,)+
            {
                $($crate::format::WriteColumn::<$ty>::write(text, &self.$field);)+
            }
        }

        impl $crate::Columns for $name {
            fn fields() -> &'static [$crate::Field] {
                static FIELDS: &[$crate::Field] = &[$(
                    $crate::format::row_column::<$ty>(
                        $crate::__first!($($column,)? stringify!($field)),
                        $crate::__first!($($unit,)? ""),
                    ),
                )+];
                FIELDS
            }

            #[inline]
            fn put_cells(self, cells: &mut [$crate::Cell]) {
                const COUNT: usize = [$(stringify!($field)),+].len();
                let Some(cells) = cells.first_chunk_mut::<COUNT>() else { return };
                let mut cells = cells.iter_mut();
                $(
                    if let Some(cell) = cells.next() {
                        $crate::CellValue::put(self.$field, cell);
                    }
                )+
            }

            fn into_cells(self) -> ::std::vec::Vec<$crate::Cell> {
                ::std::vec![$($crate::CellValue::into_cell(self.$field)),+]
            }

            fn into_row(self) -> $crate::Row {
                use ::std::sync::{Arc, LazyLock};
                static SHARED: LazyLock<Arc<[$crate::Field]>> =
                    LazyLock::new(|| <$name as $crate::Columns>::fields().into());
                $crate::Row { fields: Arc::clone(&SHARED), cells: $crate::Columns::into_cells(self) }
            }
        }
    )+ };
}

/// The first of several.
#[doc(hidden)]
#[macro_export]
macro_rules! __first {
    ($first:expr $(, $rest:expr)*) => {
        $first
    };
}
