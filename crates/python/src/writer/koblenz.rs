//! Koblenz logs.

use std::{path::PathBuf, sync::Arc};

use koblenz_log::{
    Header, ImageData, LaserData, Payload, VelodyneData, Writer,
    layout::{Gps, Obd, PACKET_LEN, RobotPose},
};
use pyo3::{exceptions::PyValueError, prelude::*};

use super::{Closing, Out, Output};
use crate::array;

/// Writes a Koblenz log: messages, stamped in seconds from the start of the recording program.
#[pyclass(frozen, extends = Closing, module = "pyrobolog")]
pub(crate) struct KoblenzWriter {
    out: Arc<Out<Writer<Output>>>,
}

#[pymethods]
impl KoblenzWriter {
    /// Begins a log of up to `seconds` seconds: later messages are not in its index.
    #[new]
    #[pyo3(signature = (path, *, seconds=3600, force=false))]
    fn new(py: Python<'_>, path: PathBuf, seconds: u32, force: bool) -> PyResult<PyClassInitializer<Self>> {
        let begin = |out| Writer::new(out, &Header::new(seconds));
        let (out, base) = Out::create(py, path, force, begin, Writer::finish)?;
        Ok(base.add_subclass(Self { out }))
    }

    /// A fix: degrees, km/h, metres; `utc` is year, month, day, hour, minute, second.
    #[pyo3(signature = (
        time, utc, latitude, longitude, *, speed=0.0, course=0.0, quality=1, satellites=0, hdop=0.0, vdop=0.0, pdop=0.0,
        height=0.0, geoid_separation=0.0
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are the fields of a message")]
    fn gps(
        &self,
        py: Python<'_>,
        time: f64,
        utc: [i32; 6],
        latitude: f64,
        longitude: f64,
        speed: f32,
        course: f32,
        quality: i32,
        satellites: i32,
        hdop: f32,
        vdop: f32,
        pdop: f32,
        height: f32,
        geoid_separation: f32,
    ) -> PyResult<()> {
        let [year, month, day, hour, minute, second] = utc;
        self.write(
            py,
            time,
            &Payload::Gps(Gps {
                hour,
                minute,
                second,
                warning: 0,
                latitude,
                longitude,
                speed,
                course,
                day,
                month,
                year,
                quality,
                satellites,
                hdop,
                height,
                geoid_separation,
                vdop,
                pdop,
            }),
        )
    }

    /// A report of the engine: km/h, revolutions per minute.
    #[pyo3(signature = (time, *, speed=0, rpm=0, throttle=0.0))]
    fn obd(&self, py: Python<'_>, time: f64, speed: i32, rpm: i32, throttle: f32) -> PyResult<()> {
        self.write(py, time, &Payload::Obd(Obd { speed, rpm, throttle, ..Obd::default() }))
    }

    /// An orientation, w, x, y, z, and an acceleration, m/s².
    fn pose(&self, py: Python<'_>, time: f64, quaternion: [f32; 4], acceleration: [f32; 3]) -> PyResult<()> {
        self.write(py, time, &Payload::RobotPose(RobotPose { quaternion, acceleration }))
    }

    /// A scan of a planar scanner: millimetres, from right to left.
    #[pyo3(signature = (time, ranges, *, name="laser", sensor_type="Hokuyo URG 04LX"))]
    fn laser(
        &self,
        py: Python<'_>,
        time: f64,
        ranges: &Bound<'_, PyAny>,
        name: &str,
        sensor_type: &str,
    ) -> PyResult<()> {
        let data: Vec<u8> = array::integers(ranges)?.into_iter().flat_map(u32::to_le_bytes).collect();
        let (name, sensor_type) = (name.as_bytes(), sensor_type.as_bytes());
        self.write(py, time, &Payload::Laser(LaserData { sensor_type, name, data: &data }))
    }

    /// A picture: the bytes of a JPEG file, or pixels.
    #[pyo3(signature = (time, data, width, height, *, source=0, jpeg=true))]
    #[expect(clippy::too_many_arguments, reason = "they are the fields of a message")]
    fn image(
        &self,
        py: Python<'_>,
        time: f64,
        data: &[u8],
        width: i32,
        height: i32,
        source: i32,
        jpeg: bool,
    ) -> PyResult<()> {
        let compressed = u32::from(jpeg);
        self.write(
            py,
            time,
            &Payload::Image(ImageData { source, compressed, compressed_len: 4, width, height, data }),
        )
    }

    /// Packets of a Velodyne, of 1206 bytes each.
    fn velodyne(&self, py: Python<'_>, time: f64, packets: &Bound<'_, PyAny>) -> PyResult<()> {
        let owned;
        let data = if let Ok(bytes) = packets.extract::<&[u8]>() {
            bytes
        } else {
            owned = array::bytes(packets)?;
            &owned
        };
        let claimed = data.len().checked_div(PACKET_LEN).and_then(|n| u32::try_from(n).ok());
        let data_of = |claimed| VelodyneData { claimed, data };
        if let Some(velodyne) = claimed.map(data_of).filter(VelodyneData::is_whole) {
            return self.write(py, time, &Payload::Velodyne(velodyne));
        }
        Err(PyValueError::new_err(format!("{} bytes are no packets of {PACKET_LEN}", data.len())))
    }
}

impl KoblenzWriter {
    fn write(&self, py: Python<'_>, seconds: f64, payload: &Payload<'_>) -> PyResult<()> {
        self.out.write(py, |out| out.write_payload(seconds * 1000.0, payload))
    }
}
