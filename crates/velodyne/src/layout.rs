//! The tables of the sensors' manuals, as in the packets: little-endian, packed.
//!
//! Sources: the user manuals of the HDL-64E S2 and S3, HDL-32E, VLP-16, VLP-32C and VLS-128. Units are the sensor's own.

robolog_core::layout! {
    /// The start of a block, 4 bytes; [`RETURNS`](crate::RETURNS) returns follow.
    #[derive(Eq)]
    pub struct BlockHeader("block") {
        /// See [`Bank::from_id`](crate::Bank::from_id).
        pub bank_id: u16,
        /// Rotation of the head, hundredths of a degree.
        pub rotation: u16,
    }

    /// One return of a laser, raw, 3 bytes.
    #[derive(Eq, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Return("return") {
        /// In the sensor's ticks, mostly 2 mm; 0 for no return.
        pub distance: u16,
        /// Strength, 0 to 255.
        pub intensity: u8,
    }

    /// The last bytes of a packet of the first generation.
    #[derive(Eq)]
    pub struct SpinTrailer("packet trailer") {
        /// The head's speed as the sensor counts it.
        pub spin: u16,
        /// Four characters such as `v25c`.
        pub firmware: [u8; 4],
    }

    /// The last bytes of the other packets of the first generation.
    #[derive(Eq)]
    pub struct TemperatureTrailer("packet trailer") {
        /// 256ths of a degree Celsius.
        pub fraction: u8,
        /// Degrees Celsius.
        pub degrees: u8,
        /// `DegC`.
        pub unit: [u8; 4],
    }

    /// The last bytes of a packet of later generations.
    #[derive(Eq)]
    pub struct ClockTrailer("packet trailer") {
        /// Microseconds since the full hour.
        pub clock: u32,
        /// Second generation: type of the value. Third: the return mode.
        pub id: u8,
        /// Second generation: the value. Third: the model.
        pub value: u8,
    }

    /// A position packet, 512 bytes.
    #[derive(Eq)]
    pub struct PositionData("position packet") {
        /// Not used.
        pub unused: [u8; 14],
        /// Measurements of the HDL-32E's three boards: see [`Inertial`](crate::Inertial). The gyroscope, temperature and
        /// two accelerometers of each, as a number of 12 bits; the upper four bits tell which it is.
        pub boards: [u16; 12],
        /// Telemetry of some sensors; not read.
        pub telemetry: [u8; 160],
        /// Microseconds since the full hour.
        pub clock: u32,
        /// See [`Pps`](crate::Pps).
        pub pps: u8,
        /// Not used.
        pub reserved: [u8; 3],
        /// The receiver's last sentence, up to a NUL.
        pub nmea: [u8; 306],
    }

    /// The start of a cycle of the status stream, 7 bytes.
    #[derive(Eq)]
    pub struct StatusHead("status stream") {
        /// `UNIT#`.
        pub mark: [u8; 5],
        /// Noise thresholds of the upper and the lower block.
        pub noise_thresholds: [u8; 2],
    }

    /// A laser in the status stream, 21 bytes.
    #[derive(Eq)]
    pub struct StatusLaser("status stream") {
        /// Its number.
        pub id: u8,
        /// Hundredths of a degree.
        pub vert_correction: i16,
        /// Hundredths of a degree.
        pub rot_correction: i16,
        /// Millimetres.
        pub dist_correction: i16,
        /// Millimetres.
        pub dist_correction_x: i16,
        /// Millimetres.
        pub dist_correction_y: i16,
        /// Millimetres.
        pub vert_offset: i16,
        /// Millimetres.
        pub horiz_offset: i16,
        /// Millimetres.
        pub focal_distance: i16,
        /// Tenths.
        pub focal_slope: i16,
        /// Minimum intensity.
        pub min_intensity: u8,
        /// Maximum intensity.
        pub max_intensity: u8,
    }

    /// The end of a cycle of the status stream, 28 bytes.
    #[derive(Eq)]
    pub struct StatusTail("status stream") {
        /// Time of calibration: years since 2000, month, day, hour, minute, second; 0xff if not calibrated.
        pub calibrated: [u8; 6],
        /// Per cent.
        pub humidity: u8,
        /// Turns per minute.
        pub rpm: i16,
        /// Hundredths of a degree.
        pub field_of_view: [u16; 2],
        /// Operating hours.
        pub hours: u16,
        /// Source address of the packets.
        pub source_ip: [u8; 4],
        /// Destination address of the packets.
        pub destination_ip: [u8; 4],
        /// 0 strongest, 1 last, 2 both.
        pub return_mode: u8,
        /// See [`Status::warnings`](crate::Status::warnings).
        pub warnings: u8,
        /// A code.
        pub power_level: u8,
        /// S2: length of a cycle in bytes. S3: CRC-16 of the calibration.
        pub check: u16,
    }
}
