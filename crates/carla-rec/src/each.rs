//! Lists with items of varying size: copies are cheap, and items are read one after another.

/// The items of a list `L`, in file order.
#[derive(Debug, Clone)]
pub struct Each<L>(pub(crate) L);

/// Implements length, iteration and `Debug` for lists with a `walk`, a count `left` and a `take_next`.
macro_rules! each {
    ($($list:ident: $item:ty),+ $(,)?) => { $(
        impl<'a> Iterator for $crate::each::Each<$list<'a>> {
            type Item = $item;

            fn next(&mut self) -> Option<$item> {
                self.0.take_next()
            }
        }

        impl std::iter::FusedIterator for $crate::each::Each<$list<'_>> {}

        impl<'a> $list<'a> {
            /// Number of remaining items, as the packet claims.
            pub fn len(&self) -> usize {
                self.left.into()
            }

            /// Whether no items remain.
            pub fn is_empty(&self) -> bool {
                self.left == 0
            }

            /// The bytes of the remaining items.
            #[allow(dead_code, reason = "not of all lists")]
            pub(crate) fn rest(&self) -> &'a [u8] {
                self.walk.rest
            }
        }

        impl<'a> IntoIterator for $list<'a> {
            type Item = $item;
            type IntoIter = $crate::each::Each<Self>;

            fn into_iter(self) -> Self::IntoIter {
                $crate::each::Each(self)
            }
        }

        impl std::fmt::Debug for $list<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_list().entries(*self).finish()
            }
        }
    )+ };
}

pub(crate) use each;
