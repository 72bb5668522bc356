//! A hash that does not depend on the version of Rust.

/// FNV-1a, 64 bits: for digests, where the standard library's hash may change.
#[derive(Debug, Clone)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The hash of everything added.
    pub fn finish(&self) -> u64 {
        self.0
    }
}
