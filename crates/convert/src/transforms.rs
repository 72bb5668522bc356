//! Mounts of sensors, as the user gives them.

#[cfg(feature = "transforms")]
mod yaml;

use robolog_core::Sample;

#[cfg(not(feature = "transforms"))]
use crate::Error;
use crate::Result;

/// Parses static transforms from YAML (or JSON): a list of entries like
///
/// ```yaml
/// - {parent: base_link, child: livox, translation: [0.1, 0, 0.5], rpy: [0, 0, 1.5708]}
/// ```
///
/// or such a list under the key `transforms`, or the output of `ros2 topic echo /tf_static`. Translations are in
/// metres; a rotation is a quaternion `[x, y, z, w]`, or `rpy`: roll, pitch and yaw in radians about the parent's fixed
/// axes, or absent. Both convert coordinates of the child to the parent.
///
/// Returns an error if the feature `transforms` is off, if the text is something else, if a number is not finite or a
/// quaternion zero, or if a frame is its own parent.
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
