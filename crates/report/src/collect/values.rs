//! Distributes the values of a sample: numbers, positions, states and events.

use std::sync::Arc;

use robolog_convert::journey::{Ground, PATHS, Position};
use robolog_core::{Cell, GnssFix, Imu, Odometry, Row};

use super::{Collected, State, numbers::Quantity, one, texts::States, track::Track};

/// Maximum number of states of all channels.
const STATES: usize = 600;
/// Maximum number of channels of events.
const EVENTS: usize = 2000;
/// Maximum number of rows of a table.
pub(crate) const ROWS: usize = 500;
/// Tables of specific formats, and whether their rows are events.
pub(super) const TABLES: [(&str, bool); 4] =
    [("actors", false), ("attributes", false), ("collisions", true), ("events", true)];

impl Collected {
    pub(super) fn imu(&mut self, channel: &Arc<str>, state: &mut State, t: Option<f64>, imu: &Imu) {
        let Some(t) = t else { return };
        let quantities = [
            (0, "linear acceleration", "m/s²", imu.linear_acceleration),
            (1, "angular velocity", "rad/s", imu.angular_velocity),
        ];
        for (slot, name, unit, vector) in quantities {
            let Some(v) = vector else { continue };
            let quantity = Quantity { slot, name, unit, lines: &["x", "y", "z"] };
            let values = [(0, v.x), (1, v.y), (2, v.z)];
            self.numbers.add((channel, &mut state.slots), &quantity, values, t, &self.axis);
        }
        if let Some(orientation) = imu.orientation {
            let (roll, pitch, yaw) = orientation.euler_angles();
            let quantity =
                Quantity { slot: 2, name: "orientation", unit: "°", lines: &["roll", "pitch", "yaw"] };
            let values = [(0, roll.to_degrees()), (1, pitch.to_degrees()), (2, yaw.to_degrees())];
            self.numbers.add((channel, &mut state.slots), &quantity, values, t, &self.axis);
        }
    }

    pub(super) fn fix(&mut self, channel: &Arc<str>, state: &mut State, t: Option<f64>, fix: &GnssFix) {
        self.state(channel, state, "quality", t, fix.quality.name());
        if let Some(position) = Position::of_fix(fix) {
            self.position(channel, state, t, &position);
        }
        let Some(t) = t else { return };
        let altitude = fix
            .altitude_msl
            .map_or(("altitude", fix.altitude), |msl| ("altitude above sea level", Some(msl)));
        let quantities = [
            (0, altitude.0, "m", altitude.1),
            (1, "speed", "m/s", fix.speed),
            (2, "satellites", "in use", fix.satellites.map(f64::from)),
            (3, "hdop", "HDOP", fix.hdop),
        ];
        for (slot, name, unit, value) in quantities {
            let Some(value) = value else { continue };
            let quantity = Quantity { slot, name, unit, lines: &[""] };
            self.numbers.add((channel, &mut state.slots), &quantity, [(0, value)], t, &self.axis);
        }
        if let Some(row) = &fix.measured {
            self.measured(row, t);
        }
    }

    pub(super) fn odometry(
        &mut self,
        channel: &Arc<str>,
        state: &mut State,
        t: Option<f64>,
        odometry: &Odometry,
    ) {
        let position = Position::of_odometry(odometry);
        let speed = position.speed;
        self.position(channel, state, t, &position);
        let Some(t) = t else { return };
        // Without a recorded speed, use the speed of the track.
        let derived =
            state.track.and_then(|track| self.tracks.get(track)?.spots.last()).map(|spot| spot.speed);
        if let Some(value) = speed.or(derived).filter(|value| value.is_finite()) {
            let unit = if speed.is_some() { "m/s" } else { "m/s, from positions" };
            let quantity = Quantity { slot: 0, name: "speed", unit, lines: &[""] };
            self.numbers.add((channel, &mut state.slots), &quantity, [(0, value)], t, &self.axis);
        }
    }

    pub(super) fn position(
        &mut self,
        channel: &Arc<str>,
        state: &mut State,
        t: Option<f64>,
        position: &Position,
    ) {
        let is_late = self.late.contains(&**channel) && position.ground == Ground::Local;
        let make = || Track::new(channel.to_string(), position.ground).with_late_places(is_late);
        if let Some(track) = one(&mut state.track, &mut self.tracks, PATHS, make) {
            track.add(t, position, &self.axis);
        }
    }

    pub(super) fn row(&mut self, channel: &Arc<str>, state: &mut State, t: Option<f64>, row: &Row) {
        if let Some(table) = state.table {
            let rows = self.tables.entry(table).or_default();
            if rows.len() < ROWS {
                rows.push((t, row.clone()));
            }
            if TABLES.iter().any(|(name, is_event)| *name == table && *is_event) {
                self.event(channel, state, t, &words(table, row));
            }
            return;
        }
        if let Some(t) = t {
            self.numbers.row((channel, &mut state.slots), row, t, &self.axis);
        }
        for (field, cell) in row.iter() {
            match cell {
                Cell::Text(text) => self.state(channel, state, &field.name, t, text),
                Cell::Bool(true) => self.state(channel, state, &field.name, t, "true"),
                Cell::Bool(false) => self.state(channel, state, &field.name, t, "false"),
                _ => {}
            }
        }
    }

    pub(super) fn state(
        &mut self,
        channel: &Arc<str>,
        state: &mut State,
        field: &str,
        t: Option<f64>,
        word: &str,
    ) {
        let Some(t) = t else { return };
        let at = if let Some(at) = state.states.get(field) {
            *at
        } else {
            if self.states.len() >= STATES {
                return;
            }
            let name = if field.is_empty() || field == "state" {
                channel.to_string()
            } else {
                format!("{channel} {field}")
            };
            self.states.push(States::new(name));
            state.states.insert(field.to_owned(), self.states.len() - 1);
            self.states.len() - 1
        };
        if let Some(states) = self.states.get_mut(at) {
            states.add(t, word);
        }
    }

    pub(super) fn event(&mut self, channel: &Arc<str>, state: &mut State, t: Option<f64>, text: &str) {
        if state.events.is_none() && self.events.counts.len() < EVENTS {
            state.events = Some(self.events.channel(channel.to_string()));
        }
        if let Some(at) = state.events {
            self.events.add(at, t, text);
        }
    }
}

/// A row as text: collisions, and objects created or destroyed.
fn words(table: &str, row: &Row) -> String {
    let text = |name: &str| match row.get(name) {
        Some(Cell::Text(text)) => text.clone(),
        Some(Cell::Int(n)) => n.to_string(),
        _ => String::new(),
    };
    if table == "collisions" {
        return hit(row);
    }
    match text("type_id").as_str() {
        // Equal kinds share a row: a world may begin with hundreds of signs.
        kind if !kind.is_empty() && text("event") == "create" => format!("create {kind}"),
        kind => format!("{} {kind} {}", text("event"), text("actor")),
    }
}

/// A collision as text.
pub(crate) fn hit(row: &Row) -> String {
    let who = |n: u8| {
        let id = row.get(&format!("actor{n}"));
        let kind = row.get(&format!("type_id{n}"));
        match (kind, id) {
            (Some(Cell::Text(kind)), Some(Cell::Int(id))) if !kind.is_empty() => format!("{kind} ({id})"),
            _ => "the scenery".to_owned(),
        }
    };
    format!("{} hits {}", who(1), who(2))
}
