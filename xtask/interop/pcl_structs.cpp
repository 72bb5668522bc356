// Reads a PointCloud2 into the point structures that SLAM programs register with PCL, by PCL's own mapping of fields.
//
// pcl_structs STRUCTURE FIELDS STEP DATA: FIELDS are NAME:OFFSET:TYPE, separated by commas; DATA is a file of rows. Prints the
// fields of each point, one line per point. If PCL finds no field of a name and type, prints the missing fields and exits with 1.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <pcl/PCLPointCloud2.h>
#include <pcl/conversions.h>
#include <pcl/point_cloud.h>
#include <pcl/point_types.h>
#include <pcl/register_point_struct.h>

// LIO-SAM, FAST-LIO and Point-LIO for Velodyne.
struct EIGEN_ALIGN16 Velodyne {
  PCL_ADD_POINT4D;
  float intensity;
  std::uint16_t ring;
  float time;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

// LIO-SAM for Ouster.
struct EIGEN_ALIGN16 OusterNoise {
  PCL_ADD_POINT4D;
  float intensity;
  std::uint32_t t;
  std::uint16_t reflectivity;
  std::uint8_t ring;
  std::uint16_t noise;
  std::uint32_t range;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

// FAST-LIO and Point-LIO for Ouster.
struct EIGEN_ALIGN16 OusterAmbient {
  PCL_ADD_POINT4D;
  float intensity;
  std::uint32_t t;
  std::uint16_t reflectivity;
  std::uint8_t ring;
  std::uint16_t ambient;
  std::uint32_t range;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

// Clouds of livox_ros_driver2.
struct EIGEN_ALIGN16 Livox {
  PCL_ADD_POINT4D;
  float intensity;
  std::uint8_t tag;
  std::uint8_t line;
  double timestamp;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

// Point-LIO for Hesai.
struct EIGEN_ALIGN16 Hesai {
  PCL_ADD_POINT4D;
  float intensity;
  double timestamp;
  std::uint16_t ring;
  PCL_MAKE_ALIGNED_OPERATOR_NEW
};

#define XYZI (float, x, x)(float, y, y)(float, z, z)(float, intensity, intensity)
POINT_CLOUD_REGISTER_POINT_STRUCT(Velodyne, XYZI(std::uint16_t, ring, ring)(float, time, time))
POINT_CLOUD_REGISTER_POINT_STRUCT(OusterNoise, XYZI(std::uint32_t, t, t)(std::uint16_t, reflectivity, reflectivity)(
    std::uint8_t, ring, ring)(std::uint16_t, noise, noise)(std::uint32_t, range, range))
POINT_CLOUD_REGISTER_POINT_STRUCT(OusterAmbient, XYZI(std::uint32_t, t, t)(std::uint16_t, reflectivity, reflectivity)(
    std::uint8_t, ring, ring)(std::uint16_t, ambient, ambient)(std::uint32_t, range, range))
POINT_CLOUD_REGISTER_POINT_STRUCT(Livox, XYZI(std::uint8_t, tag, tag)(std::uint8_t, line, line)(double, timestamp, timestamp))
POINT_CLOUD_REGISTER_POINT_STRUCT(Hesai, XYZI(double, timestamp, timestamp)(std::uint16_t, ring, ring))

// Finds and prints each field of a structure.
template <typename Point> struct Fields {
  const pcl::PCLPointCloud2 &cloud;
  const Point *point;
  bool &found;

  template <typename Tag> void operator()() {
    if (point == nullptr) {
      bool is_there = false;
      for (const auto &field : cloud.fields)
        is_there = is_there || pcl::FieldMatches<Point, Tag>()(field);
      if (!is_there) {
        std::printf("missing: %s\n", pcl::traits::name<Point, Tag>::value);
        found = false;
      }
      return;
    }
    using Type = typename pcl::traits::datatype<Point, Tag>::type;
    Type value;
    std::memcpy(&value, reinterpret_cast<const char *>(point) + pcl::traits::offset<Point, Tag>::value, sizeof value);
    std::printf("%.17g ", static_cast<double>(value));
  }
};

template <typename Point> int read(const pcl::PCLPointCloud2 &message) {
  using List = typename pcl::traits::fieldList<Point>::type;
  bool found = true;
  pcl::for_each_type<List>(Fields<Point>{message, nullptr, found});
  if (!found)
    return 1;
  pcl::PointCloud<Point> cloud;
  pcl::fromPCLPointCloud2(message, cloud);
  for (const Point &point : cloud.points) {
    pcl::for_each_type<List>(Fields<Point>{message, &point, found});
    std::printf("\n");
  }
  return 0;
}

int main(int, char **arguments) {
  pcl::PCLPointCloud2 message;
  std::istringstream fields(arguments[2]);
  for (std::string text; std::getline(fields, text, ',');) {
    std::istringstream parts(text);
    std::string name, offset, type;
    std::getline(parts, name, ':');
    std::getline(parts, offset, ':');
    std::getline(parts, type, ':');
    pcl::PCLPointField field;
    field.name = name;
    field.offset = std::stoul(offset);
    field.datatype = std::stoul(type);
    field.count = 1;
    message.fields.push_back(field);
  }
  message.point_step = std::stoul(arguments[3]);
  std::ifstream data(arguments[4], std::ios::binary);
  message.data.assign(std::istreambuf_iterator<char>(data), {});
  message.height = 1;
  message.width = message.data.size() / message.point_step;
  message.row_step = message.data.size();
  const std::string structure = arguments[1];
  if (structure == "velodyne")
    return read<Velodyne>(message);
  if (structure == "ouster_noise")
    return read<OusterNoise>(message);
  if (structure == "ouster_ambient")
    return read<OusterAmbient>(message);
  if (structure == "livox")
    return read<Livox>(message);
  return read<Hesai>(message);
}
