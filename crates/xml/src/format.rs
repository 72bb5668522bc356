//! The record type and framing shared by the crates of XML formats.

/// Defines the record and the framing of an XML format: `Record`, which dereferences to [`Piece`](crate::Piece), and
/// [`robolog_core::format::Format`]. The format implements [`Frame`](crate::Frame); its header is made from a
/// [`Root`](crate::Root).
#[macro_export]
macro_rules! documents {
    ($(#[$attr:meta])* $format:ident, $header:ident) => {
        $(#[$attr])*
        ///
        /// Its offset, bytes, name and kind are those of the [`Piece`](robolog_xml::Piece) that it dereferences to.
        #[derive(Clone, Copy)]
        pub struct Record<'a>($crate::Piece<'a, $format>);

        impl<'a> ::core::ops::Deref for Record<'a> {
            type Target = $crate::Piece<'a, $format>;

            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl ::core::fmt::Debug for Record<'_> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.0, f)
            }
        }

        impl $crate::robolog_core::format::Format for $format {
            type Header = $header;
            type Record<'a> = Record<'a>;
            const NAME: &'static str = <$format as $crate::Frame>::NAME;

            fn detect(start: &[u8]) -> bool {
                let text = $crate::to_utf8(start);
                let header = $crate::header::<Self>(&text, false);
                matches!(header, Ok($crate::robolog_core::format::Step::Ready(..)))
            }

            fn header(
                input: &[u8],
                eof: bool,
            ) -> $crate::robolog_core::Result<$crate::robolog_core::format::Step<$header>> {
                Ok($crate::header::<Self>(input, eof)?.map($header::from))
            }

            #[inline]
            fn measure(
                _: &$header,
                input: &[u8],
                at: u64,
                eof: bool,
            ) -> $crate::robolog_core::Result<$crate::robolog_core::format::Extent> {
                Ok($crate::measure::<Self>(input, at, eof))
            }

            #[inline]
            fn record<'a>(
                _: &$header,
                raw: $crate::robolog_core::format::RawRecord<'a>,
            ) -> $crate::robolog_core::Result<Record<'a>> {
                $crate::check::<Self>(raw)?;
                Ok(Record($crate::Piece::new(raw)))
            }

            fn resync(_: &$header, input: &[u8], _: u64, eof: bool) -> $crate::robolog_core::format::Search {
                $crate::resync::<Self>(input, eof)
            }
        }
    };
}
