//! Transforms in YAML, in the short form or as ROS prints them.

use std::fmt;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use robolog_core::{Pose, Sample, Transform, Value, slices::InRange as _};
use saphyr::{LoadableYamlNode as _, Scalar, Yaml};
use saphyr_parser::{Event, Parser};
use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor},
};

use serde_json::Value as Json;

use crate::{Error, Reason, Result};

/// Channel of these samples.
const CHANNEL: &str = "transforms";

/// Maximum length in bytes; more than the frame tree of any robot.
const LONGEST: usize = 1 << 20;

/// Maximum nesting; messages are shallower.
const DEEPEST: usize = 16;

/// See [`from_yaml`](super::from_yaml).
pub(super) fn from_yaml(text: &str) -> Result<Vec<Sample>> {
    let invalid = |e: &dyn fmt::Display| Error::Target(Reason::Transforms(e.to_string()));
    check_size(text).map_err(|e| invalid(&e))?;
    let mut entries = Vec::new();
    for document in Yaml::load_from_str(text).map_err(|e| invalid(&e))? {
        match json(document).map_err(|e| invalid(&e))? {
            // The separator at the end of `ros2 topic echo` opens an empty document.
            Json::Null => {}
            message @ Json::Object(_) => {
                entries.extend(Message::deserialize(message).map_err(|e| invalid(&e))?.transforms);
            }
            list => entries.extend(Vec::<Entry>::deserialize(list).map_err(|e| invalid(&e))?),
        }
    }
    let samples: Vec<Sample> = entries.into_iter().map(Entry::into_sample).collect::<Result<_>>()?;
    if samples.is_empty() { Err(invalid(&"there is none")) } else { Ok(samples) }
}

/// Rejects text that expands from a few bytes: aliases, which multiply, and deep nesting.
fn check_size(text: &str) -> std::result::Result<(), String> {
    if text.len() > LONGEST {
        return Err(format!("{} bytes are too long; the limit is {LONGEST}", text.len()));
    }
    let mut depth = 0_usize;
    for event in Parser::new_from_str(text) {
        match event.map_err(|e| e.to_string())?.0 {
            Event::Alias(_) => return Err("aliases are not supported".to_owned()),
            Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
            Event::SequenceEnd | Event::MappingEnd => depth = depth.minus(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(format!("nested deeper than {DEEPEST} levels"));
        }
    }
    Ok(())
}

fn json(node: Yaml<'_>) -> std::result::Result<Json, String> {
    Ok(match node {
        Yaml::Value(Scalar::Null) => Json::Null,
        Yaml::Value(Scalar::Boolean(value)) => value.into(),
        Yaml::Value(Scalar::Integer(value)) => value.into(),
        Yaml::Value(Scalar::FloatingPoint(value)) => {
            serde_json::Number::from_f64(*value).ok_or("a number is not finite")?.into()
        }
        Yaml::Value(Scalar::String(text)) => text.into_owned().into(),
        Yaml::Sequence(items) => {
            Json::Array(items.into_iter().map(json).collect::<std::result::Result<_, _>>()?)
        }
        Yaml::Mapping(entries) => {
            let entries = entries.into_iter().map(|(key, value)| match key {
                Yaml::Value(Scalar::String(key)) => Ok((key.into_owned(), json(value)?)),
                _ => Err("a key is not text".to_owned()),
            });
            Json::Object(entries.collect::<std::result::Result<_, _>>()?)
        }
        _ => return Err("tags are not supported".to_owned()),
    })
}

/// `tf2_msgs/TFMessage`.
#[derive(Deserialize)]
struct Message {
    transforms: Vec<Entry>,
}

/// The short form, or `geometry_msgs/TransformStamped`.
#[derive(Deserialize)]
struct Entry {
    header: Option<Header>,
    #[serde(alias = "frame_id")]
    parent: Option<String>,
    #[serde(alias = "child_frame_id")]
    child: String,
    transform: Option<Placed>,
    #[serde(alias = "xyz")]
    translation: Option<Numbers<3>>,
    rotation: Option<Numbers<4>>,
    rpy: Option<Numbers<3>>,
}

#[derive(Deserialize)]
struct Header {
    frame_id: String,
}

#[derive(Deserialize)]
struct Placed {
    translation: Option<Numbers<3>>,
    rotation: Option<Numbers<4>>,
}

/// `[1, 2, 3]` or `{x: 1, y: 2, z: 3}`.
struct Numbers<const N: usize>([f64; N]);

impl<'de, const N: usize> Deserialize<'de> for Numbers<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumbersVisitor)
    }
}

struct NumbersVisitor<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for NumbersVisitor<N> {
    type Value = Numbers<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.get(..N).unwrap_or(&NAMES).join(", ");
        write!(f, "{N} numbers [{names}], or each by its name")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [0.0; N];
        for (i, number) in numbers.iter_mut().enumerate() {
            *number = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(i, &self))?;
        }
        match seq.next_element::<IgnoredAny>()? {
            Some(_) => Err(de::Error::invalid_length(N + 1, &self)),
            None => Ok(Numbers(numbers)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [None; N];
        while let Some(key) = map.next_key::<String>()? {
            let number = NAMES.iter().position(|name| *name == key).and_then(|i| numbers.get_mut(i));
            *number.ok_or_else(|| de::Error::unknown_field(&key, &NAMES))? = Some(map.next_value()?);
        }
        let missing = NAMES.iter().zip(&numbers).find(|(_, number)| number.is_none());
        match missing {
            Some((name, _)) => Err(de::Error::missing_field(name)),
            None => Ok(Numbers(numbers.map(Option::unwrap_or_default))),
        }
    }
}

const NAMES: [&str; 4] = ["x", "y", "z", "w"];

impl Entry {
    fn into_sample(self) -> Result<Sample> {
        let child = self.child;
        let parent = self.header.map(|header| header.frame_id).or(self.parent).unwrap_or_default();
        let (translation, rotation) = match self.transform {
            Some(placed) => (placed.translation, placed.rotation),
            None => (self.translation, self.rotation),
        };
        let invalid =
            |what: &str| Error::Target(Reason::Transforms(format!("{parent:?} to {child:?}: {what}")));
        if parent.is_empty() || child.is_empty() || parent == child {
            return Err(invalid("a frame lies in another, and both have names"));
        }
        let position = Vector3::from(translation.map(|numbers| numbers.0).unwrap_or_default());
        let orientation = match (rotation, self.rpy) {
            (Some(_), Some(_)) => return Err(invalid("rotation or rpy, not both")),
            (Some(Numbers([x, y, z, w])), None) => UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-9)
                .ok_or_else(|| invalid("the quaternion is zero"))?,
            (None, Some(Numbers([roll, pitch, yaw]))) => UnitQuaternion::from_euler_angles(roll, pitch, yaw),
            (None, None) => UnitQuaternion::identity(),
        };
        if !position.iter().chain(orientation.coords.iter()).all(|v| v.is_finite()) {
            return Err(invalid("a number is not finite"));
        }
        let pose = Pose { position, orientation };
        let value = Value::Transform(Transform { child_frame_id: child, pose });
        Ok(Sample::new(CHANNEL, value).with_frame(parent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(text: &str) -> Vec<(String, String, [f64; 7])> {
        let of = |sample: Sample| {
            let Value::Transform(t) = sample.value else { panic!("no transform") };
            let (p, q) = (t.pose.position, t.pose.orientation.coords);
            (sample.frame_id.to_string(), t.child_frame_id, [p.x, p.y, p.z, q.x, q.y, q.z, q.w])
        };
        from_yaml(text).unwrap().into_iter().map(of).collect()
    }

    #[test]
    fn lists_messages_and_json_say_the_same() {
        let want = ("base".to_owned(), "lidar".to_owned(), [1.0, 2.0, 3.0, 0.0, 0.0, 1.0, 0.0]);
        for text in [
            "- parent: base\n  child: lidar\n  translation: [1, 2, 3]\n  rotation: [0, 0, 1, 0]\n",
            "transforms:\n- frame_id: base\n  child_frame_id: lidar\n  xyz: {x: 1.0, y: 2, z: 3}\n  rotation: {x: 0, y: 0, z: 2, w: 0}\n",
            "[{\"parent\": \"base\", \"child\": \"lidar\", \"translation\": [1, 2, 3], \"rotation\": [0, 0, 1, 0]}]",
            "transforms:\n- header:\n    stamp:\n      sec: 1\n      nanosec: 5\n    frame_id: base\n  child_frame_id: lidar\n  transform:\n    translation:\n      x: 1.0\n      y: 2.0\n      z: 3.0\n    rotation:\n      x: 0.0\n      y: 0.0\n      z: 1.0\n      w: 0.0\n---\n",
        ] {
            assert_eq!(placed(text), std::slice::from_ref(&want), "{text}");
        }
    }

    #[test]
    fn roll_pitch_and_yaw_are_radians_about_fixed_axes() {
        let [(.., v)] =
            placed("- {parent: a, child: b, rpy: [0, 0, 1.5707963267948966]}").try_into().unwrap();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        assert!(v.iter().zip([0.0, 0.0, 0.0, 0.0, 0.0, half, half]).all(|(a, b)| (a - b).abs() < 1e-15));
    }

    #[test]
    fn what_is_no_transform_is_refused() {
        for (text, why) in [
            ("", "there is none"),
            ("[]", "there is none"),
            ("a: b", "transforms"),
            ("- {parent: a, child: a}", "lies in another"),
            ("- {parent: a, child: b, rotation: [0, 0, 0, 0]}", "is zero"),
            ("- {parent: a, child: b, translation: [.nan, 0, 0]}", "not finite"),
            ("- {parent: a, child: b, rotation: [0, 0, 0, 1], rpy: [0, 0, 0]}", "not both"),
            ("- {parent: a, child: b, translation: [1, 2]}", "transforms"),
        ] {
            let error = from_yaml(text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
