//! Structures without vectors that frame the others.

robolog_core::layout! {
    /// Start of the file; the map's name follows.
    #[derive(Eq)]
    pub struct FileHeader("CARLA header") {
        /// 1, or 2 in 0.9.16.
        pub version: u16,
        /// [`MAGIC`](super::MAGIC).
        pub magic: [u8; 16],
        /// Seconds of unix time.
        pub date: i64,
        /// Bytes of the map's name.
        pub map_len: u16,
    }

    /// Start of a packet.
    #[derive(Eq)]
    pub struct PacketHeader("packet header") {
        /// Packet id.
        pub id: u8,
        /// Bytes that follow.
        pub size: u32,
    }
}
