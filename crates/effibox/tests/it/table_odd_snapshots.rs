//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.

use crate::digest::table as digest;

#[test]
fn bus_interfacecamera_2672909685359666_dates() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceCamera_2672909685359666/Bus_InterfaceCamera_2672909685359666.dates"
    ));
}

#[test]
fn bus_interfacecamera_dev_video0_dates() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceCamera__dev_video0/Bus_InterfaceCamera__dev_video0.dates"
    ));
}

#[test]
fn bus_interfacecan_can0_deadreckoned_poses_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_DeadReckoned_Poses.txt"
    ));
}

#[test]
fn bus_interfacecan_can0_deadreckoned_poses2_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_DeadReckoned_Poses2.txt"
    ));
}

#[test]
fn bus_interfacecan_can0_motor_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Motor.txt"
    ));
}

#[test]
fn bus_interfacecan_can0_steering_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceCan_can0/Bus_InterfaceCan_can0_Steering.txt"
    ));
}

#[test]
fn bus_interfacegps_dev_ttyacm0_gga_all_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceGps__dev_ttyACM0/Bus_InterfaceGps__dev_ttyACM0_GGA_all.txt"
    ));
}

#[test]
fn bus_interfacegps_dev_ttym0_gga_all_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceGps__dev_ttyM0/Bus_InterfaceGps__dev_ttyM0_GGA_all.txt"
    ));
}

#[test]
fn bus_interfacerangefinder_172_27_30_31_2112_1_0_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceRangefinder_172_27_30_31_2112/Bus_InterfaceRangefinder_172_27_30_31_2112-1-0.txt"
    ));
}

#[test]
fn bus_interfacerangefinder_172_27_30_31_2112_2_0_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceRangefinder_172_27_30_31_2112/Bus_InterfaceRangefinder_172_27_30_31_2112-2-0.txt"
    ));
}

#[test]
fn bus_interfacerangefinder_172_27_30_31_2112_3_0_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceRangefinder_172_27_30_31_2112/Bus_InterfaceRangefinder_172_27_30_31_2112-3-0.txt"
    ));
}

#[test]
fn bus_interfacerangefinder_172_27_30_31_2112_4_0_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceRangefinder_172_27_30_31_2112/Bus_InterfaceRangefinder_172_27_30_31_2112-4-0.txt"
    ));
}

#[test]
fn bus_interfacerangefinder_172_27_30_31_2112_4_1_txt() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceRangefinder_172_27_30_31_2112/Bus_InterfaceRangefinder_172_27_30_31_2112-4-1.txt"
    ));
}

#[test]
fn bus_interfacerangefinder_172_27_30_31_2112_dates() {
    insta::assert_snapshot!(digest::digest(
        "effibox/dataset_odd/Bus_InterfaceRangefinder_172_27_30_31_2112/Bus_InterfaceRangefinder_172_27_30_31_2112.dates"
    ));
}
