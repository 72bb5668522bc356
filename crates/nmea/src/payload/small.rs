//! VTG, ZDA, GST, HDT, DTM.

use robolog_core::Timestamp;

use crate::{
    Date, Decimal, Time,
    layout::{DayMonthYear, FirstWithUnit, Letter, Number, Text, TimeOfDay, WithUnit, Zone, sentence},
};

sentence! {
    /// Course and speed over ground.
    pub struct Vtg: VTG {
        /// Degrees clockwise from true north.
        course: Decimal = FirstWithUnit("course", 'T'),
        /// Degrees clockwise from magnetic north.
        magnetic_course: Decimal = WithUnit("magnetic course", 'M'),
        /// Knots.
        speed: Decimal = WithUnit("speed", 'N'),
        /// Kilometres per hour.
        speed_kmh: Decimal = WithUnit("speed", 'K'),
    }
    optional {
        /// As in [`Rmc::mode`](super::Rmc::mode).
        mode: char = Letter("mode"),
    }
}

sentence! {
    /// Date and time.
    pub struct Zda: ZDA {
        /// UTC.
        time: Time = TimeOfDay,
        /// The day; `None` for an invalid date.
        date: Date = DayMonthYear,
        /// Hours to add to local time for UTC, signed.
        zone_hours: i8 = Zone("zone, hours"),
        /// Minutes with the same sign, which is implied.
        zone_minutes: i8 = Zone("zone, minutes"),
    }
}

impl Zda {
    /// The date and time.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.date?.midnight()?.checked_add(self.time?.since_midnight())
    }
}

sentence! {
    /// Statistics of the position's error; metres, one sigma.
    pub struct Gst: GST {
        /// UTC of the position.
        time: Time = TimeOfDay,
        /// Root mean square of the range residuals.
        rms: Decimal = Number("rms"),
        /// Semi-major axis of the error ellipse.
        semi_major: Decimal = Number("semi-major axis"),
        /// Semi-minor axis of the error ellipse.
        semi_minor: Decimal = Number("semi-minor axis"),
        /// Direction of the semi-major axis, degrees clockwise from true north.
        orientation: Decimal = Number("orientation"),
        /// Error of the latitude.
        latitude: Decimal = Number("error of the latitude"),
        /// Error of the longitude.
        longitude: Decimal = Number("error of the longitude"),
        /// Error of the altitude.
        altitude: Decimal = Number("error of the altitude"),
    }
}

sentence! {
    /// True heading.
    pub struct Hdt: HDT {
        /// Degrees clockwise from true north.
        heading: Decimal = WithUnit("heading", 'T'),
    }
}

sentence! {
    /// The datum that positions refer to.
    pub struct Dtm<'a>: DTM {
        /// The local datum: W84 for WGS 84.
        local: &'a str = Text("datum"),
        /// Its subdivision.
        subdivision: &'a str = Text("subdivision"),
        /// Offset of latitude, minutes, with N or S.
        latitude_offset: Decimal = Number("offset of the latitude"),
        /// N or S.
        latitude_direction: char = Letter("direction of the latitude"),
        /// Offset of longitude, minutes, with E or W.
        longitude_offset: Decimal = Number("offset of the longitude"),
        /// E or W.
        longitude_direction: char = Letter("direction of the longitude"),
        /// Offset of altitude, metres.
        altitude_offset: Decimal = Number("offset of the altitude"),
        /// The datum that the offsets refer to.
        reference: &'a str = Text("reference datum"),
    }
}
