//! Where sensors are mounted, as the user says.

#[cfg(feature = "transforms")]
mod yaml;

use robolog_core::Sample;

#[cfg(not(feature = "transforms"))]
use crate::Error;
use crate::Result;

/// Transforms that hold all the time, from YAML (or JSON): a list of entries like
///
/// ```yaml
/// - {parent: base_link, child: livox, translation: [0.1, 0, 0.5], rpy: [0, 0, 1.5708]}
/// ```
///
/// or the same under the key `transforms`, or the messages that `ros2 topic echo /tf_static` prints. A translation is in
/// metres; a rotation is a quaternion `[x, y, z, w]`, or `rpy`: roll, pitch and yaw in radians about the parent's fixed
/// axes, or it is left out. Both take the child's coordinates to those of the parent.
///
/// Fails when the feature `transforms` is off, when the text is something else, when a number is not finite, a quaternion zero, or a frame its own parent.
///
/// ```
/// let text = "- {parent: base_link, child: livox, translation: [0.1, 0, 0.5]}";
/// let samples = robolog_convert::transforms::from_yaml(text)?;
/// assert_eq!(&*samples[0].frame_id, "base_link");
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn from_yaml(text: &str) -> Result<Vec<Sample>> {
    #[cfg(feature = "transforms")]
    return yaml::from_yaml(text);
    #[cfg(not(feature = "transforms"))]
    {
        let _ = text;
        Err(Error::NotBuilt { what: "transforms".into(), feature: "transforms" })
    }
}
