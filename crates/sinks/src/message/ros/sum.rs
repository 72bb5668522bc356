//! MD5 sums by which ROS 1 nodes compare message types.

use super::{
    Ros,
    definitions::{fields, used},
};

/// MD5 of a definition, up to the definitions of the types it uses: its constants, then its fields, one per line
/// without comments, with sums in place of type names.
pub(crate) fn of(definition: &str) -> String {
    let (mut text, mut parts) = (String::new(), Vec::new());
    for line in definition.lines().take_while(|line| !line.starts_with("==")) {
        let line = line.split_once('#').map_or(line, |(line, _)| line).trim();
        match used(line) {
            _ if line.is_empty() => {}
            _ if line.contains('=') => {
                text.push_str(line);
                text.push('\n');
            }
            Some(path) => {
                let name = line.rsplit_once(' ').map_or(line, |(_, name)| name);
                parts.push(format!("{} {name}", of(fields(Ros::One, path))));
            }
            None => parts.push(line.to_owned()),
        }
    }
    text.push_str(&parts.join("\n"));
    format!("{:x}", md5::compute(text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As in ROS 1's own packages.
    #[test]
    fn sums_are_those_of_ros() {
        let known = [
            ("std_msgs/Header", "2176decaecbce78abc3b96ef049fabed"),
            ("std_msgs/String", "992ce8a1687cec8c8bd883ec73ca41d1"),
            ("geometry_msgs/PoseStamped", "d3812c3cbc69362b77dc0b19b345f8f5"),
            ("nav_msgs/Odometry", "cd5e73d190d741a2f92e81eda573aca7"),
            ("sensor_msgs/Image", "060021388200f6f0f447d0fcd9c64743"),
            ("sensor_msgs/CompressedImage", "8f7a12909da2c9d3332d540a0977563f"),
            ("sensor_msgs/Imu", "6a62c6daae103f4ff57a132d6f95cec2"),
            ("sensor_msgs/LaserScan", "90c7ef2dc6895d81024acba2ac42f369"),
            ("sensor_msgs/NavSatFix", "2d3a8cd499b9b4a0249fb98fd05cfa48"),
            ("sensor_msgs/PointCloud2", "1158d486dd51d683ce2f1be655c3c181"),
            ("tf2_msgs/TFMessage", "94810edda583a504dfda3829e70d7eec"),
            ("livox_ros_driver/CustomMsg", "e4d6829bdfe657cb6c21a746c86b21a6"),
            ("livox_ros_driver2/CustomMsg", "e4d6829bdfe657cb6c21a746c86b21a6"),
            ("visualization_msgs/MarkerArray", "d155b9ce5188fbaf89745847fd5882d7"),
        ];
        for (path, sum) in known {
            assert_eq!(of(fields(Ros::One, path)), sum, "{path}");
        }
    }

    #[test]
    fn remarks_and_units_do_not_count() {
        assert_eq!(of("float64 data  # m/s\n\n"), of("float64 data\n"));
        assert_eq!(of("float64 data"), "fdb28210bfa9d7c91146260178d9a584");
    }
}
