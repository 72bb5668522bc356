//! LVX files and LiDAR captures.

use serde_json::Value as Json;

use robolog_convert::Surveyed;

use super::{Facts, items, number, several, several_of, short, text};

/// Maximum number of devices listed.
const DEVICES: usize = 8;

/// Each device: model, points per second, and mounting.
pub(super) fn lvx(info: &Surveyed, facts: &mut Facts) {
    let details = &info.summary.details;
    let all: Vec<_> = items(details, "devices").collect();
    let frames = number(details, "frames");
    for device in all.iter().take(DEVICES) {
        let label = text_of(device, "sn").filter(|sn| !sn.is_empty()).or_else(|| address(device));
        let label = label.unwrap_or_else(|| format!("device {}", number(device, "index")));
        facts.add(&label, about(device, frames));
        facts.add("", mount(device));
        facts.add("", items(device, "states").filter_map(text));
    }
    if let more @ 1.. = all.iter().skip(DEVICES).len() {
        facts.add("", [format!("and {more} more devices: -v lists them")]);
    }
    let frame = details.get("frame_ms").and_then(Json::as_u64);
    let frame = frame.map_or_else(String::new, |ms| format!("{ms} ms each"));
    facts.add("frames", [frames.to_string(), frame]);
}

fn text_of(value: &Json, key: &str) -> Option<String> {
    value.get(key).and_then(text)
}

/// The IP address of an LVX2 device; its octets are in file order.
fn address(device: &Json) -> Option<String> {
    let id = u32::try_from(device.get("lidar_id")?.as_u64()?).ok()?;
    let [a, b, c, d] = id.to_le_bytes();
    Some(format!("{a}.{b}.{c}.{d}"))
}

/// The model, and the points and IMU samples. A single frame gives no rate: its packages can be anywhere in it.
fn about(device: &Json, frames: u64) -> Vec<String> {
    let (points, imu) = (number(device, "points"), number(device, "imu_samples"));
    let span = |key: &str| device.get(key).and_then(Json::as_i64);
    let nanos = span("end_ns").zip(span("start_ns")).and_then(|(end, start)| end.checked_sub(start));
    #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
    let rate = nanos
        .filter(|nanos| *nanos > 0 && points > 1 && frames > 1)
        .map_or_else(String::new, |nanos| format!("{:.0} points/s", points as f64 * 1e9 / nanos as f64));
    let hub = text_of(device, "hub_sn").map_or_else(String::new, |hub| format!("on hub {hub}"));
    let model = text_of(device, "model").unwrap_or_else(|| match device.get("device_type") {
        Some(Json::Number(n)) => format!("device type {n}"),
        _ => "not in the list of devices".into(),
    });
    vec![model, hub, several(points, "point"), rate, several(imu, "IMU sample")]
}

/// The extrinsic, and whether readers should apply it.
fn mount(device: &Json) -> Option<String> {
    let extrinsic = device.get("extrinsic")?.as_object()?;
    let of = |key: &str| extrinsic.get(key).and_then(Json::as_f64).unwrap_or(f64::NAN);
    let all = ["roll", "pitch", "yaw", "x", "y", "z"].map(of);
    let is_enabled = match device.get("extrinsic_enable").and_then(Json::as_u64) {
        None => "applied already",
        Some(0) => "not enabled",
        Some(_) => "enabled",
    };
    if all.iter().all(|n| *n == 0.0) {
        return Some(format!("extrinsic {is_enabled}, all zero"));
    }
    let [roll, pitch, yaw, x, y, z] = all.map(|n| short(n, 4));
    Some(format!("extrinsic {is_enabled}: roll {roll} pitch {pitch} yaw {yaw} degrees and x {x} y {y} z {z}"))
}

/// Packets by sender, and each sensor.
pub(super) fn pcap(details: &Json, facts: &mut Facts) {
    let parts = [
        several_of(details, "datagrams", "UDP datagram"),
        several_of(details, "sdk1_packets", "packet of Livox SDK 1"),
        several_of(details, "sdk2_packets", "packet of Livox SDK 2"),
        several_of(details, "velodyne_packets", "packet of a Velodyne"),
        several_of(details, "position_packets", "packet of its receiver"),
        match several_of(details, "duplicates", "packet") {
            packets if packets.is_empty() => packets,
            packets => format!("{packets} captured twice"),
        },
    ];
    facts.add("packets", parts);
    let all: Vec<_> = items(details, "sensors").collect();
    for sensor in all.iter().take(DEVICES) {
        let label = text_of(sensor, "name").unwrap_or_default();
        facts.add(&label, about_sensor(sensor));
        facts.add("", lost(sensor));
    }
    if let more @ 1.. = all.iter().skip(DEVICES).len() {
        facts.add("", [format!("and {more} more sensors: -v lists them")]);
    }
}

/// Model, returns, firmware, ports, packets and points of a sensor.
fn about_sensor(sensor: &Json) -> Vec<String> {
    let of = |key: &str| text_of(sensor, key).unwrap_or_default();
    let is_assumed = sensor.get("assumed").and_then(Json::as_bool) == Some(true);
    let model = match (text_of(sensor, "model"), of("maker")) {
        (Some(model), maker) if is_assumed => match list(sensor, "others") {
            others if others.is_empty() => format!("{maker} {model} (assumed)"),
            others => format!("{maker} {model} (assumed; or {others})"),
        },
        (Some(model), maker) => format!("{maker} {model}"),
        (None, maker) => format!("{maker} of unknown model"),
    };
    let with = |key: &str, before: &str, after: &str| {
        text_of(sensor, key).map_or_else(String::new, |text| format!("{before}{text}{after}"))
    };
    vec![
        model,
        with("serial", "serial number ", ""),
        with("firmware", "firmware ", ""),
        with("return_mode", "", " returns"),
        format!("ports {} to {}", list(sensor, "source_ports"), list(sensor, "destination_ports")),
        several_of(sensor, "packets", "packet"),
        several_of(sensor, "points", "point"),
    ]
}

fn list(sensor: &Json, key: &str) -> String {
    let texts = items(sensor, key).map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
    texts.collect::<Vec<_>>().join(", ")
}

/// The packets that never arrived.
fn lost(sensor: &Json) -> Option<String> {
    let lost = sensor.get("lost").filter(|lost| lost.is_object())?;
    let (packets, sent) = (number(lost, "packets"), number(lost, "sent"));
    #[expect(clippy::cast_precision_loss, reason = "a share for people")]
    let percent = packets as f64 * 100.0 / sent.max(1) as f64;
    Some(format!("{packets} of {sent} packets ({percent:.1} %) never arrived"))
}
