//! MOOS logs, CARLA recordings, Koblenz logs.

use std::collections::BTreeSet;

use robolog_core::{Clock, Timestamp, text::Escaped};
use serde_json::Value as Json;

use super::{
    super::head::moment, Facts, counts, documents::extent, few, items, number, several, several_of, short,
    text,
};

/// The community, the mission, the applications, and the number of variables.
pub(super) fn alog(details: &Json, facts: &mut Facts) {
    let variables = || items(details, "per_variable");
    let sources: BTreeSet<&str> =
        variables().flat_map(|v| items(v, "sources")).filter_map(Json::as_str).collect();
    // The database is named after its community.
    let community = sources.iter().find_map(|source| source.strip_prefix("MOOSDB_"));
    facts.add("community", community.map(|name| Escaped(name.as_bytes()).to_string()));
    let log_file = details.get("log_file").and_then(Json::as_str).unwrap_or("");
    let mission = log_file.rsplit_once(['/', '\\']).map_or(log_file, |(_, name)| name);
    let mission = mission.strip_suffix(".alog").unwrap_or(mission);
    facts.add("mission", [Escaped(mission.as_bytes()).to_string()]);
    let warp = details.get("time_warp").and_then(Json::as_f64).filter(|warp| (warp - 1.0).abs() > 1e-9);
    let advice = || "--time mission shows times by the mission's own clock".to_owned();
    facts.add("time warp", warp.map(|warp| [short(warp, 3), advice()]).into_iter().flatten());
    let apps = sources.iter().map(|app| Escaped(app.as_bytes()).to_string());
    let n = sources.len() as u64;
    let total = (n > 1).then(|| format!("{n} in all"));
    facts.add("applications", few(total.into_iter().chain(apps).collect()));
    let variables = counts(details.get("variables")).len() as u64;
    facts.add(
        "variables",
        [
            several(variables, "variable"),
            several_of(details, "numeric_values", "number"),
            several_of(details, "empty_values", "value without text"),
            several_of(details, "out_of_order", "entry out of order"),
            several_of(details, "negative_times", "entry before LOGSTART"),
        ],
    );
    extent(details, facts);
}

/// The map, the heroes, vehicles and walkers by blueprint, collisions.
pub(super) fn carla_rec(details: &Json, facts: &mut Facts) {
    facts.text("map", details.get("map"));
    let heroes: Vec<_> = items(details, "heroes").filter_map(Json::as_u64).collect();
    let blueprints = items(details, "hero_blueprints").filter_map(text);
    let hero = |(id, blueprint): (&u64, String)| format!("actor {id}, a {blueprint}");
    facts.add("hero", few(heroes.iter().zip(blueprints).map(hero).collect()));
    facts.counts("vehicles", details.get("vehicles"));
    facts.counts("walkers", details.get("walkers"));
    facts.add("collisions", [number(details, "collisions").to_string()]);
    if details.get("late_poses") == Some(&Json::Bool(true)) {
        facts.add(
            "poses",
            ["those of vehicles are as of the frame before: speeds take the interval before".to_owned()],
        );
    }
    let incomplete = several_of(details, "incomplete_frames", "incomplete frame");
    facts.add("frames", [number(details, "frames").to_string(), incomplete]);
}

/// The Velodyne's model, laser scanners, messages, the stored index.
pub(super) fn koblenz_log(details: &Json, facts: &mut Facts) {
    if let Some(velodyne) = details.get("velodyne").filter(|velodyne| velodyne.is_object()) {
        let of = |key: &str| velodyne.get(key).and_then(text);
        facts.add(
            "velodyne",
            [
                of("model"),
                of("return_mode"),
                of("calibration").map(|name| format!("calibration {name}")),
                Some(several_of(details, "velodyne_packets", "packet")),
            ]
            .into_iter()
            .flatten(),
        );
    }
    if let Some(nanos) = details.get("epoch_ns").and_then(Json::as_i64) {
        let began = moment(Timestamp::new(nanos, Clock::Unix));
        let how = "--epoch auto gives all times in UTC".to_owned();
        facts.add("time 0", [format!("{began} by the receiver"), how]);
    }
    for laser in items(details, "lasers") {
        let of = |key: &str| laser.get(key).and_then(text).unwrap_or_default();
        let model = if of("model").is_empty() { of("sensor_type") } else { of("model") };
        let (beams, scans) = (number(laser, "beams"), number(laser, "scans"));
        facts.add("laser", [of("name"), model, several(beams, "beam"), several(scans, "scan")]);
    }
    facts.counts("messages", details.get("by_type"));
    facts.add("invalid", [several_of(details, "invalid", "message with another mark")]);
    if let Some(bytes @ 1..) = details.get("jpeg_bytes").and_then(Json::as_u64) {
        facts.add("images", [format!("{} of JPEG", crate::render::bytes(bytes))]);
    }
    if let Some(index) = details.get("index") {
        let state = index.get("state").and_then(text).unwrap_or_default();
        facts.add("index", [state, several_of(index, "entries", "entry")]);
    }
}
