//! Details of specific formats: actors and collisions, devices, variables by application, interfaces.

use std::{collections::BTreeMap, fmt::Write as _};

use robolog_core::{Cell, Row};
use serde_json::Value as Json;

use super::{Recording, Section, open_table, put, table};
use crate::{
    collect::{Collected, ROWS, hit},
    text::{Esc, count, num, short, span},
};

/// Maximum number of rows of a table.
const LISTED: usize = 500;

/// A collision of an actor with another or with the scenery.
pub(super) struct Collision {
    pub(super) t: Option<f64>,
    /// The first actor of the collision.
    pub(super) actor: i64,
    pub(super) words: String,
}

/// The collisions of a simulator's recording.
pub(super) fn collisions(kept: &Collected) -> Vec<Collision> {
    let rows = kept.tables.get("collisions").into_iter().flatten();
    rows.map(|(t, row)| {
        let actor = if let Some(Cell::Int(id)) = row.get("actor1") { *id } else { -1 };
        Collision { t: *t, actor, words: hit(row) }
    })
    .collect()
}

/// Whether an actor has a collision sensor; `None` if not all actors are known.
pub(super) fn has_collision_sensor(kept: &Collected) -> Option<bool> {
    let rows = kept.tables.get("actors")?;
    let has_one = rows.iter().any(|(_, row)| cell(row, "type_id") == "sensor.other.collision");
    (has_one || rows.len() < ROWS).then_some(has_one)
}

/// Name and properties of an actor.
pub(crate) struct Actor {
    pub(crate) name: String,
    pub(super) is_hero: bool,
    pub(super) moves: bool,
    /// Typical length and width of its kind, metres: the recording does not contain them.
    pub(super) size: (f64, f64),
}

/// The actors of a simulator's recording by number.
pub(crate) fn actors(kept: &Collected) -> BTreeMap<i64, Actor> {
    let rows = kept.tables.get("actors").into_iter().flatten();
    let actors = rows.filter_map(|(_, row)| {
        let Some(Cell::Int(id)) = row.get("actor") else { return None };
        let kind = cell(row, "kind");
        let actor = Actor {
            name: format!("{} ({id})", cell(row, "type_id")),
            is_hero: row.get("hero") == Some(&Cell::Bool(true)),
            moves: kind == "vehicle" || kind == "walker",
            size: usual_size(&kind, &cell(row, "type_id")),
        };
        Some((*id, actor))
    });
    actors.collect()
}

fn usual_size(kind: &str, of: &str) -> (f64, f64) {
    const CYCLES: [&str; 8] =
        ["bike", "century", "omafiets", "harley", "kawasaki", "yamaha", "vespa", "bicycle"];
    const TRUCKS: [&str; 6] = ["truck", "bus", "carlacola", "ambulance", "fusorosa", "sprinter"];
    let is_one = |names: &[&str]| names.iter().any(|name| of.contains(name));
    match kind {
        "walker" => (0.5, 0.5),
        _ if is_one(&CYCLES) => (2.1, 0.8),
        _ if is_one(&TRUCKS) => (6.5, 2.5),
        _ => (4.6, 1.9),
    }
}

pub(super) fn section(recording: &Recording<'_>) -> Option<Section> {
    let details = &recording.surveyed.summary.details;
    let (title, lead, body) = match recording.surveyed.format {
        "carla-rec" => {
            ("Actors", "Vehicles and walkers first; the hero in bold.", actor_table(recording.kept)?)
        }
        "pcap" => ("Sensors", "Model, ports and packets of each sensor.", sensors(details)?),
        "lvx" => ("Devices", "Model, mount and counts of each device.", devices(details)?),
        "alog" => (
            "Variables by application",
            "The variables of each application, and how often it wrote them.",
            apps(details)?,
        ),
        "effibox" => ("Interfaces", "The folders of the data set, one per device.", interfaces(details)?),
        _ => ("", "", String::new()),
    };
    let (title, lead) =
        if body.is_empty() { ("Details", "Data specific to this format.") } else { (title, lead) };
    let body = body + &facts(details);
    if body.is_empty() {
        return None;
    }
    Some(Section { id: "details", title, lead: lead.into(), body })
}

fn cell(row: &Row, name: &str) -> String {
    match row.get(name) {
        None | Some(Cell::Null) => String::new(),
        Some(Cell::Bool(yes)) => if *yes { "yes" } else { "no" }.into(),
        Some(Cell::Int(n)) => n.to_string(),
        Some(Cell::Float(x)) => num(*x),
        Some(Cell::Text(text)) => text.clone(),
    }
}

fn actor_table(kept: &Collected) -> Option<String> {
    let mut rows: Vec<_> = kept.tables.get("actors")?.iter().map(|(_, row)| row).collect();
    let rank = |row: &Row| match cell(row, "kind").as_str() {
        "vehicle" => 0,
        "walker" => 1,
        "traffic_light" => 2,
        _ => 3,
    };
    rows.sort_by_key(|row| (row.get("hero") != Some(&Cell::Bool(true)), rank(row)));
    let mut html = String::new();
    for row in rows.iter().take(LISTED) {
        let strong = if row.get("hero") == Some(&Cell::Bool(true)) { " class=\"hero\"" } else { "" };
        put!(html, "<tr{strong}>");
        for name in ["actor", "kind", "type_id", "role_name", "created", "destroyed", "x", "y"] {
            put!(html, "<td>{}</td>", Esc(&short(&cell(row, name))));
        }
        html.push_str("</tr>\n");
    }
    let mut body = String::new();
    open_table(&mut body, "Actor|Kind|Type|Role|Created, s|Destroyed, s|x, m|y, m", &html);
    Some(body)
}

fn devices(details: &Json) -> Option<String> {
    let mut html = String::new();
    for device in details.get("devices")?.as_array()?.iter().take(LISTED) {
        let mount = device.get("extrinsic").map_or_else(String::new, |mount| {
            let number = |key: &str| mount.get(key).and_then(Json::as_f64).map_or_else(|| "–".into(), num);
            let all = ["roll", "pitch", "yaw", "x", "y", "z"].map(number);
            all.join(" ")
        });
        put!(html, "<tr>");
        for key in ["sn", "model", "index", "packages", "points", "imu_samples"] {
            put!(html, "<td>{}</td>", Esc(&short(&scalar(device.get(key)))));
        }
        put!(
            html,
            "<td>{}</td><td>{}</td></tr>\n",
            Esc(&mount),
            match device.get("extrinsic_enable").and_then(Json::as_u64) {
                Some(0) => "no",
                Some(_) => "yes",
                None => "",
            }
        );
    }
    let mut body = String::new();
    let heads = "Serial number|Model|Index|Packages|Points|IMU samples|Mount: roll pitch yaw, °; x y z, m|Mount in use";
    open_table(&mut body, heads, &html);
    Some(body)
}

/// The sensors of a capture.
fn sensors(details: &Json) -> Option<String> {
    let mut html = String::new();
    for sensor in details.get("sensors")?.as_array()?.iter().take(LISTED) {
        let text = |key: &str| scalar(sensor.get(key));
        let ports = |key: &str| {
            let ports = sensor.get(key).and_then(Json::as_array).into_iter().flatten();
            ports.map(|port| scalar(Some(port))).collect::<Vec<_>>().join(", ")
        };
        let is_assumed = sensor.get("assumed") == Some(&Json::from(true));
        let assumed = if is_assumed { " (assumed)" } else { "" };
        let lost = sensor.get("lost").and_then(|lost| lost.get("packets"));
        let cells = [
            text("name"),
            format!("{} {}{assumed}", text("maker"), text("model")),
            text("serial"),
            text("firmware"),
            text("return_mode"),
            format!("{} to {}", ports("source_ports"), ports("destination_ports")),
            text("packets"),
            text("points"),
            scalar(lost),
        ];
        put!(html, "<tr>");
        for cell in cells {
            put!(html, "<td>{}</td>", Esc(&short(&cell)));
        }
        put!(html, "</tr>\n");
    }
    let mut body = String::new();
    let heads = "Name|Model|Serial number|Firmware|Returns|Ports|Packets|Points|Packets lost";
    if !html.is_empty() {
        open_table(&mut body, heads, &html);
    }
    Some(body)
}

/// Total entries of an application's variables, and the entries of each.
type App<'a> = (u64, Vec<(&'a str, u64)>);

fn apps(details: &Json) -> Option<String> {
    let mut apps: BTreeMap<&str, App<'_>> = BTreeMap::new();
    for variable in details.get("per_variable")?.as_array()? {
        let name = variable.get("name").and_then(Json::as_str).unwrap_or("");
        let entries = variable.get("entries").and_then(Json::as_u64).unwrap_or(0);
        let sources = variable.get("sources").and_then(Json::as_array);
        for source in sources.into_iter().flatten().filter_map(Json::as_str) {
            let app = apps.entry(source).or_default();
            app.0 += entries;
            app.1.push((name, entries));
        }
    }
    if apps.is_empty() {
        return Some(String::new());
    }
    let mut html = String::new();
    for (app, (entries, variables)) in apps.iter().take(LISTED) {
        let few: Vec<_> = variables.iter().take(40).map(|(name, n)| format!("{} {n}", short(name))).collect();
        let more =
            if variables.len() > 40 { format!(" and {} more", variables.len() - 40) } else { String::new() };
        put!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}{more}</td></tr>\n",
            Esc(&short(app)),
            count(variables.len() as u64),
            count(*entries),
            Esc(&few.join(", "))
        );
    }
    let mut body = String::new();
    let heads = "Application|Variables|Entries|Variables, and their entries from all applications";
    open_table(&mut body, heads, &html);
    Some(body)
}

fn interfaces(details: &Json) -> Option<String> {
    let mut html = String::new();
    for interface in details.get("interfaces")?.as_array()?.iter().take(LISTED) {
        put!(html, "<tr>");
        for key in ["id", "kind", "device", "alias", "files", "rows", "images", "scans"] {
            put!(html, "<td>{}</td>", Esc(&short(&scalar(interface.get(key)))));
        }
        html.push_str("</tr>\n");
    }
    let mut body = String::new();
    open_table(&mut body, "Interface|Kind|Device|Alias|Files|Rows|Images|Scans", &html);
    Some(body)
}

/// Other facts and counts of the survey.
fn facts(details: &Json) -> String {
    let mut rows = String::new();
    for (key, value) in details.as_object().into_iter().flatten() {
        let text = match value {
            Json::Object(counts) if counts.len() <= 24 => {
                let all = counts.iter().map(|(key, value)| (key, scalar(Some(value))));
                let all = all.filter(|(_, text)| !text.is_empty()).map(|(key, text)| format!("{key} {text}"));
                all.collect::<Vec<_>>().join(", ")
            }
            Json::Array(items) if items.len() <= 24 => {
                let all = items.iter().map(|item| scalar(Some(item))).filter(|text| !text.is_empty());
                all.collect::<Vec<_>>().join("; ")
            }
            value if key.ends_with("_s") => value.as_f64().map_or_else(String::new, span),
            value => scalar(Some(value)),
        };
        if !text.is_empty() {
            let text: String = text.chars().take(600).collect();
            put!(rows, "<tr><td>{}</td><td>{}</td></tr>\n", Esc(&short(&key.replace('_', " "))), Esc(&text));
        }
    }
    if rows.is_empty() { String::new() } else { table("Other details", "Key|Value", &rows) }
}

fn scalar(value: Option<&Json>) -> String {
    match value {
        Some(Json::Number(n)) => n.as_u64().map_or_else(|| n.to_string(), count),
        Some(Json::Bool(yes)) => if *yes { "yes" } else { "no" }.into(),
        Some(Json::String(text)) => text.clone(),
        _ => String::new(),
    }
}
