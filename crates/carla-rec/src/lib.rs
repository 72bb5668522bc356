//! CARLA recorder files (`.log`, `.rec`) of every release since 0.9.4, read without a server.
//!
//! # Open
//! ```
//! # let path = "examples/v0_9_15.log";
//! for sample in carla_rec::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = carla_rec::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), carla_rec::Error>(())
//! ```
//! A sample is a point cloud, a pose, a fix, a row or another [`Value`], with its time, channel and
//! frame. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! ```text
//! header           version, magic, date, map
//! packet           id, size, body                                  x until the end of the file
//!   FrameStart     number, duration, elapsed                       opens a frame
//!   EventAdd ...   actors that appear, disappear, are attached, collide
//!   Position ...   one record an actor: where, how driven, which lights
//!   FrameEnd       closes it
//! ```
//!
//! A [`Record`] is a packet; [`Record::decode`] returns its [`Payload`], which borrows from the input. The header's
//! version does not give the width of vectors or the meaning of packets 21 to 24; both are found from the packets: see
//! [`Dialect`].
//!
//! # Read
//! ```
//! # let file = carla_rec::doc::recording();
//! use carla_rec::{Frames, Payload};
//!
//! let reader = carla_rec::Reader::new(&file)?;
//! for frame in Frames::new(&reader) {
//!     let frame = frame?;
//!     for packet in frame.packets() {
//!         if let Payload::Position(positions) = packet?.decode()? {
//!             let hero = positions.of(25).expect("the hero is there");
//!             assert_eq!((frame.start().frame, hero.location.x), (1, 1250.0)); // centimetres
//!         }
//!     }
//! }
//! # Ok::<(), carla_rec::Error>(())
//! ```
//! [`StreamReader`] reads packets from any [`std::io::Read`] in bounded memory. [`World`] holds the actors that exist
//! at a frame, [`Scene`] answers the questions of `ScenarioRunner`'s `MetricsLog`, and [`query`] prints what the server
//! prints. [`Decoder`] makes poses in right-handed metres, and tables of everything else.
//!
//! # Write
//! ```
//! use carla_rec::{ActorKind, Clock, Header, NewActor, Pose, Recorder, Release, Timestamp};
//!
//! let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_15);
//! let mut recorder = Recorder::new(Vec::new(), &header)?;
//! recorder.begin_frame(0.0)?;
//! recorder.add(&NewActor::new(25, ActorKind::VEHICLE, "vehicle.tesla.model3").attribute("role_name", "hero"))?;
//! recorder.pose(25, &Pose::from_euler([12.5, 0.0, 0.0], 0.0, 0.0, 0.1))?;
//! let file = recorder.finish()?;
//! assert_eq!(carla_rec::Frames::new(&carla_rec::Reader::new(&file)?).count(), 1);
//! # Ok::<(), carla_rec::Error>(())
//! ```
//!
//! # Split
//! [`splits`] returns parts of a file that can be read independently and together give the same samples. They begin at
//! frames, and carry the earlier packets that introduce actors or record collisions.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/v0_9_15.log").unwrap();
//! # file.truncate(file.len() - 30);
//! use carla_rec::{Event, StreamReader};
//!
//! // Of samples: an error in the place of each damage, and the samples after it.
//! let damage: Vec<_> = StreamReader::new(&file[..])?.samples().filter_map(Result::err).collect();
//! // Of records: also the bytes that are lost.
//! let mut reader = StreamReader::new(&file[..])?;
//! loop {
//!     match reader.next_event()? {
//!         Event::Record(record) => println!("byte {}: a record", record.offset()),
//!         Event::Damage { error, lost } => println!("bytes {lost:?}: {error}"),
//!         Event::End => break,
//!     }
//! }
//! // All that is wrong, with a severity, a code and an offset each.
//! let findings = StreamReader::new(&file[..])?.survey()?.findings;
//! assert!(!damage.is_empty() && !findings.is_empty());
//! # Ok::<(), carla_rec::Error>(())
//! ```
//!
//! # Damage
//! A truncated recording delivers every whole packet, then one error with its byte offset; nothing is delivered twice
//! or invented. [`resync`](robolog_core::RawRecords::resync) finds the next frame after damage.
//!
//! A frame without its `FrameEnd` yields the samples of the packets it has, and one error. [`Copier`] adds the
//! missing end: the recovered file has the samples of the damaged recording.
//!
//! # Not supported
//! Physics of UE5 recordings are raw memory of the simulator and are kept as bytes.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod layout;
pub mod query;

#[doc(hidden)]
pub mod doc;

mod actors;
mod additions;
mod anonymise;
mod by_id;
mod decode;
mod dialect;
mod each;
mod edit;
mod format;
mod frames;
mod header;
mod late;
mod learned;
mod names;
mod parts;
mod payload;
mod physics;
mod preamble;
mod record;
mod recorder;
mod rows;
mod scene;
#[cfg(feature = "serde")]
mod serialize;
mod vector;
mod walk;
mod world;
mod writer;

pub use additions::{ActorKind, Addition, Additions, Attribute, AttributeList, Attributes};
pub use decode::{Axes, Decoder, Details, Options, poses_channel};
pub use dialect::{Dialect, Release};
pub use each::Each;
pub use format::CarlaRec;
pub use frames::{Frame, FrameEntry, FrameIndex, Frames, Packets};
pub use header::Header;
pub use late::{LONGEST_STEP, LatePoses};
pub use layout::Width;
pub use learned::learn;
pub use parts::{Bone, Bones, VehicleWheels, WalkerBones, Walkers, Wheels};
pub use payload::{Kind, Payload};
pub use physics::{Physics, PhysicsControl, PhysicsWheels, VehiclePhysics};
pub use record::Record;
pub use recorder::{NewActor, Recorder};
/// The shared core: samples, `survey`, and the traits that [`Decoder`] and [`Copier`] implement.
pub use robolog_core;
pub use robolog_core::{Odometry, Pose, Row, Twist, nalgebra};
pub use rows::{PositionColumns, RowIter, Rows};
pub use scene::{Scene, State, Track, VelocityFrom};
pub use world::{Actor, Episode, Episodes, Moment, World};
pub use writer::{Copier, Writer};

robolog_core::crate_root!(CarlaRec, carla_rec, "v0_9_15.log");
