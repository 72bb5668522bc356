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
        /// Kilometres an hour.
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
        /// Hours to be added to local time for UTC, with a sign.
        zone_hours: i8 = Zone("zone, hours"),
        /// Minutes with the same sign, which is not written.
        zone_minutes: i8 = Zone("zone, minutes"),
    }
}

impl Zda {
    /// The moment.
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.date?.midnight()?.checked_add(self.time?.since_midnight())
    }
}

sentence! {
    /// Statistics of the position's error; metres, one sigma.
    pub struct Gst: GST {
        /// UTC of the position.
        time: Time = TimeOfDay,
        /// Root mean square of the ranges' residuals.
        rms: Decimal = Number("rms"),
        /// Semi-major axis of the error ellipse.
        semi_major: Decimal = Number("semi-major axis"),
        /// Semi-minor axis of the error ellipse.
        semi_minor: Decimal = Number("semi-minor axis"),
        /// Where the semi-major axis points, degrees from true north.
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
        /// Minutes of latitude to be added, with N or S.
        latitude_offset: Decimal = Number("offset of the latitude"),
        /// N or S.
        latitude_direction: char = Letter("direction of the latitude"),
        /// Minutes of longitude to be added, with E or W.
        longitude_offset: Decimal = Number("offset of the longitude"),
        /// E or W.
        longitude_direction: char = Letter("direction of the longitude"),
        /// Metres of altitude to be added.
        altitude_offset: Decimal = Number("offset of the altitude"),
        /// The datum that the offsets refer to.
        reference: &'a str = Text("reference datum"),
    }
}
