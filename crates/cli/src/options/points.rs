//! Options for points.

use super::{
    Group,
    Takes::{Between, Count, File, Number, Numbers, Switch, Text},
    option,
};

pub(super) const POINTS: Group = Group {
    name: "points",
    about: "remove points, and place them along a trajectory",
    heading: "Points",
    verbs: &["convert"],
    of: &[],
    python: "",
    browser: "not in the module yet",
    options: &[
        option("drop-nan", Switch, "Remove points whose coordinates are not finite"),
        option("keep-no-returns", Switch, "Keep the points of shots without a return, which LiDARs put at their own origin; in LAS, LAZ and COPC they are withheld. Without this, LAS, LAZ, COPC, E57, PLY, PCD and XYZ leave them out").browser(),
        option("range", Numbers, "Keep points at this distance from the sensor, in metres, such as 2,30").meta("MIN,MAX").more("`0.5,` has no upper limit."),
        option("ring", Between, "Keep these rings (scan lines), counted from 0, end excluded: 0..16, 8.. or 5").meta("A..B"),
        option("min-intensity", Number, "Keep points of at least this intensity, in the sensor's own scale").meta("I"),
        option("return", Text, "Keep one return of each shot: first, last, strongest, or a number from 1; if the sensor does not number returns, each point is the only one").meta("WHICH").called("returns"),
        option("every", Count, "Keep every N-th point of each cloud, starting with the first").meta("N"),
        option("trajectory", File, "Move each point to where it was measured, by the pose at its time: from a file (.tum, .csv or any recording; FILE@CHANNEL for one channel) or from a channel of the recording itself (@CHANNEL, a glob). --transforms gives the mounting of sensors. Points without a pose are left out, which counts as a loss (exit status 3). With --to kitti-bin --per frame, points stay in their sensor's frame at the frame's time, and poses.txt holds its pose").meta("FILE|@CHANNEL"),
        option("trajectory-offset", Number, "Add this many seconds to the times of the trajectory; its clock may then differ from that of the points").meta("SECONDS"),
        option("trajectory-gap", Number, "Interpolate between poses that are at most this many seconds apart").meta("SECONDS").default("1"),
        option("crop", Numbers, "Keep points in a box, in metres: X0,X1,Y0,Y1,Z0,Z1").meta("BOX").more("The box is in the frame of the output: the sensor's, or the world's with --trajectory. An empty value leaves that side open."),
        option("voxel", Number, "Keep the first point of each cell of this size, in metres").meta("SIZE").more("Per cloud, or for the whole file if the target joins clouds. The cells of a file take up to two thirds of --max-memory, or of 256M (7.3 million cells); when that is full they are cleared, and a note says how often."),
    ],
};
