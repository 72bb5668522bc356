//! Definitions of the message types.

use std::collections::VecDeque;

use super::{super::content::Message, Ros};

/// Name and fields in ROS 2. Structures with the same fields in the same order are the same on the wire; comments are
/// left out.
const TYPES: [(&str, &str); 34] = [
    ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n"),
    ("builtin_interfaces/Duration", "int32 sec\nuint32 nanosec\n"),
    ("std_msgs/ColorRGBA", "float32 r\nfloat32 g\nfloat32 b\nfloat32 a\n"),
    ("std_msgs/Header", "builtin_interfaces/Time stamp\nstring frame_id\n"),
    ("std_msgs/String", "string data\n"),
    ("std_msgs/Float64", "float64 data\n"),
    ("geometry_msgs/Point", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Vector3", "float64 x\nfloat64 y\nfloat64 z\n"),
    ("geometry_msgs/Quaternion", "float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"),
    ("geometry_msgs/Pose", "geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n"),
    ("geometry_msgs/PoseStamped", "std_msgs/Header header\ngeometry_msgs/Pose pose\n"),
    ("geometry_msgs/PoseWithCovariance", "geometry_msgs/Pose pose\nfloat64[36] covariance\n"),
    ("geometry_msgs/Twist", "geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular\n"),
    ("geometry_msgs/TwistWithCovariance", "geometry_msgs/Twist twist\nfloat64[36] covariance\n"),
    ("geometry_msgs/Transform", "geometry_msgs/Vector3 translation\ngeometry_msgs/Quaternion rotation\n"),
    (
        "geometry_msgs/TransformStamped",
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/Transform transform\n",
    ),
    ("tf2_msgs/TFMessage", "geometry_msgs/TransformStamped[] transforms\n"),
    (
        "nav_msgs/Odometry",
        "std_msgs/Header header\nstring child_frame_id\ngeometry_msgs/PoseWithCovariance pose\n\
         geometry_msgs/TwistWithCovariance twist\n",
    ),
    (
        "sensor_msgs/PointField",
        "uint8 INT8=1\nuint8 UINT8=2\nuint8 INT16=3\nuint8 UINT16=4\nuint8 INT32=5\nuint8 UINT32=6\n\
         uint8 FLOAT32=7\nuint8 FLOAT64=8\nstring name\nuint32 offset\nuint8 datatype\nuint32 count\n",
    ),
    (
        "sensor_msgs/PointCloud2",
        "std_msgs/Header header\nuint32 height\nuint32 width\nsensor_msgs/PointField[] fields\n\
         bool is_bigendian\nuint32 point_step\nuint32 row_step\nuint8[] data\nbool is_dense\n",
    ),
    (
        "sensor_msgs/LaserScan",
        "std_msgs/Header header\nfloat32 angle_min\nfloat32 angle_max\nfloat32 angle_increment\n\
         float32 time_increment\nfloat32 scan_time\nfloat32 range_min\nfloat32 range_max\n\
         float32[] ranges\nfloat32[] intensities\n",
    ),
    (
        "sensor_msgs/Imu",
        "std_msgs/Header header\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n\
         geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n\
         geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance\n",
    ),
    (
        "sensor_msgs/NavSatStatus",
        "int8 STATUS_UNKNOWN=-2\nint8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\n\
         int8 STATUS_GBAS_FIX=2\nint8 status -2\nuint16 SERVICE_UNKNOWN=0\nuint16 SERVICE_GPS=1\n\
         uint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\nuint16 service\n",
    ),
    (
        "sensor_msgs/NavSatFix",
        "std_msgs/Header header\nsensor_msgs/NavSatStatus status\nfloat64 latitude\nfloat64 longitude\n\
         float64 altitude\nfloat64[9] position_covariance\nuint8 COVARIANCE_TYPE_UNKNOWN=0\n\
         uint8 COVARIANCE_TYPE_APPROXIMATED=1\nuint8 COVARIANCE_TYPE_DIAGONAL_KNOWN=2\n\
         uint8 COVARIANCE_TYPE_KNOWN=3\nuint8 position_covariance_type\n",
    ),
    ("sensor_msgs/CompressedImage", "std_msgs/Header header\nstring format\nuint8[] data\n"),
    (
        "sensor_msgs/Image",
        "std_msgs/Header header\nuint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\n\
         uint32 step\nuint8[] data\n",
    ),
    ("visualization_msgs/MeshFile", "string filename\nuint8[] data\n"),
    ("visualization_msgs/UVCoordinate", "float32 u\nfloat32 v\n"),
    (
        "visualization_msgs/Marker",
        "int32 ARROW=0\nint32 CUBE=1\nint32 SPHERE=2\nint32 CYLINDER=3\nint32 LINE_STRIP=4\nint32 LINE_LIST=5\n\
         int32 CUBE_LIST=6\nint32 SPHERE_LIST=7\nint32 POINTS=8\nint32 TEXT_VIEW_FACING=9\n\
         int32 MESH_RESOURCE=10\nint32 TRIANGLE_LIST=11\nint32 ADD=0\nint32 MODIFY=0\nint32 DELETE=2\n\
         int32 DELETEALL=3\nstd_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n\
         geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\n\
         builtin_interfaces/Duration lifetime\nbool frame_locked\ngeometry_msgs/Point[] points\n\
         std_msgs/ColorRGBA[] colors\nstring texture_resource\nsensor_msgs/CompressedImage texture\n\
         visualization_msgs/UVCoordinate[] uv_coordinates\nstring text\nstring mesh_resource\n\
         visualization_msgs/MeshFile mesh_file\nbool mesh_use_embedded_materials\n",
    ),
    ("visualization_msgs/MarkerArray", "visualization_msgs/Marker[] markers\n"),
    (
        "livox_ros_driver/CustomMsg",
        "std_msgs/Header header\nuint64 timebase\nuint32 point_num\nuint8 lidar_id\nuint8[3] rsvd\n\
         livox_ros_driver/CustomPoint[] points\n",
    ),
    ("livox_ros_driver/CustomPoint", LIVOX_POINT),
    (
        "livox_ros_driver2/CustomMsg",
        "std_msgs/Header header\nuint64 timebase\nuint32 point_num\nuint8 lidar_id\nuint8[3] rsvd\n\
         livox_ros_driver2/CustomPoint[] points\n",
    ),
    ("livox_ros_driver2/CustomPoint", LIVOX_POINT),
];

/// The same in both drivers.
const LIVOX_POINT: &str =
    "uint32 offset_time\nfloat32 x\nfloat32 y\nfloat32 z\nuint8 reflectivity\nuint8 tag\nuint8 line\n";

/// Types that differ in ROS 1. The order of constants and fields affects their MD5 sums.
const TYPES_OF_ONE: [(&str, &str); 4] = [
    ("std_msgs/Header", "uint32 seq\ntime stamp\nstring frame_id\n"),
    ("geometry_msgs/Quaternion", "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n"),
    (
        "sensor_msgs/NavSatStatus",
        "int8 STATUS_NO_FIX=-1\nint8 STATUS_FIX=0\nint8 STATUS_SBAS_FIX=1\nint8 STATUS_GBAS_FIX=2\nint8 status\n\
         uint16 SERVICE_GPS=1\nuint16 SERVICE_GLONASS=2\nuint16 SERVICE_COMPASS=4\nuint16 SERVICE_GALILEO=8\n\
         uint16 service\n",
    ),
    (
        "visualization_msgs/Marker",
        "uint8 ARROW=0\nuint8 CUBE=1\nuint8 SPHERE=2\nuint8 CYLINDER=3\nuint8 LINE_STRIP=4\nuint8 LINE_LIST=5\n\
         uint8 CUBE_LIST=6\nuint8 SPHERE_LIST=7\nuint8 POINTS=8\nuint8 TEXT_VIEW_FACING=9\n\
         uint8 MESH_RESOURCE=10\nuint8 TRIANGLE_LIST=11\nuint8 ADD=0\nuint8 MODIFY=0\nuint8 DELETE=2\n\
         uint8 DELETEALL=3\nstd_msgs/Header header\nstring ns\nint32 id\nint32 type\nint32 action\n\
         geometry_msgs/Pose pose\ngeometry_msgs/Vector3 scale\nstd_msgs/ColorRGBA color\nduration lifetime\n\
         bool frame_locked\ngeometry_msgs/Point[] points\nstd_msgs/ColorRGBA[] colors\nstring text\n\
         string mesh_resource\nbool mesh_use_embedded_materials\n",
    ),
];

impl Message {
    /// Package and type.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::CompressedImage => "sensor_msgs/CompressedImage",
            Self::Fix => "sensor_msgs/NavSatFix",
            Self::Image => "sensor_msgs/Image",
            Self::Imu => "sensor_msgs/Imu",
            Self::Number => "std_msgs/Float64",
            Self::Odometry => "nav_msgs/Odometry",
            Self::PointCloud => "sensor_msgs/PointCloud2",
            Self::Pose => "geometry_msgs/PoseStamped",
            Self::GeoJson | Self::Satellites | Self::Text => "std_msgs/String",
            Self::Scan => "sensor_msgs/LaserScan",
            Self::Scene => "visualization_msgs/MarkerArray",
            Self::Transforms => "tf2_msgs/TFMessage",
        }
    }
}

/// The fields of a type.
pub(super) fn fields(ros: Ros, path: &str) -> &'static str {
    let of_one: &[_] = if ros == Ros::One { &TYPES_OF_ONE } else { &[] };
    let mut types = of_one.iter().chain(&TYPES);
    types.find(|(name, _)| *name == path).map_or("", |(_, fields)| fields)
}

/// Appends the definitions of all types used, as ROS recorders do.
pub(super) fn complete(ros: Ros, definition: &str) -> String {
    let mut out = definition.to_owned();
    let mut seen = Vec::new();
    let mut queue = VecDeque::from([definition]);
    while let Some(text) = queue.pop_front() {
        for path in text.lines().filter_map(used) {
            if !seen.contains(&path) {
                seen.push(path);
                out.push_str(&"=".repeat(80));
                out.push_str("\nMSG: ");
                out.push_str(path);
                out.push('\n');
                out.push_str(fields(ros, path));
                queue.push_back(fields(ros, path));
            }
        }
    }
    out
}

/// Returns the type named in a field's declaration, unless it is built in.
pub(super) fn used(line: &str) -> Option<&str> {
    let name = line.split(' ').next()?;
    let name = name.split('[').next()?;
    name.contains('/').then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_in_a_definition_is_defined_once() {
        for message in Message::ALL {
            for ros in [Ros::One, Ros::Two] {
                let fields = |path| fields(ros, path);
                let text = complete(ros, fields(message.path()));
                assert!(!fields(message.path()).is_empty(), "{message:?}");
                for path in text.lines().filter_map(used) {
                    assert!(!fields(path).is_empty(), "{path} of {message:?}");
                    let times = text.matches(&format!("\nMSG: {path}\n")).count();
                    assert_eq!(times, 1, "{path} of {message:?}");
                }
            }
        }
        let rule = "=".repeat(80);
        let want = format!(
            "std_msgs/Header header\ngeometry_msgs/Pose pose\n{rule}\nMSG: std_msgs/Header\n\
             builtin_interfaces/Time stamp\nstring frame_id\n{rule}\nMSG: geometry_msgs/Pose\n\
             geometry_msgs/Point position\ngeometry_msgs/Quaternion orientation\n{rule}\n\
             MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec\n{rule}\nMSG: geometry_msgs/Point\n\
             float64 x\nfloat64 y\nfloat64 z\n{rule}\nMSG: geometry_msgs/Quaternion\n\
             float64 x 0\nfloat64 y 0\nfloat64 z 0\nfloat64 w 1\n"
        );
        assert_eq!(complete(Ros::Two, fields(Ros::Two, "geometry_msgs/PoseStamped")), want);
    }
}
