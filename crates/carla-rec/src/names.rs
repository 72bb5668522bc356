//! Names of numbers in the file.

use std::borrow::Cow;

use crate::{ActorKind, layout::Weather};

pub(crate) fn actor_kind(kind: ActorKind) -> Cow<'static, str> {
    kind.name().map_or_else(|| kind.0.to_string().into(), Cow::Borrowed)
}

pub(crate) fn traffic_light(state: u8) -> Cow<'static, str> {
    named(&["red", "yellow", "green", "off", "unknown"], state)
}

pub(crate) fn light_group(group: u8) -> Cow<'static, str> {
    named(&["none", "vehicle", "street", "building", "other"], group)
}

pub(crate) fn door(door: u8) -> Cow<'static, str> {
    named(&["front_left", "front_right", "rear_left", "rear_right", "hood", "trunk", "all"], door)
}

fn named(names: &[&'static str], number: u8) -> Cow<'static, str> {
    names.get(usize::from(number)).map_or_else(|| number.to_string().into(), |name| Cow::Borrowed(*name))
}

/// Names of the weather's parameters, as in the server's text.
pub(crate) fn weather(w: &Weather) -> [(&'static str, f32); 14] {
    [
        ("Cloudiness", w.cloudiness),
        ("Precipitation", w.precipitation),
        ("PrecipitationDeposits", w.precipitation_deposits),
        ("WindIntensity", w.wind_intensity),
        ("SunAzimuthAngle", w.sun_azimuth_angle),
        ("SunAltitudeAngle", w.sun_altitude_angle),
        ("FogDensity", w.fog_density),
        ("FogDistance", w.fog_distance),
        ("FogFalloff", w.fog_falloff),
        ("Wetness", w.wetness),
        ("ScatteringIntensity", w.scattering_intensity),
        ("MieScatteringScale", w.mie_scattering_scale),
        ("RayleighScatteringScale", w.rayleigh_scattering_scale),
        ("DustStorm", w.dust_storm),
    ]
}
