//! Livox LVX.

use std::{path::PathBuf, sync::Arc};

use lvx::{Clock, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};
use nalgebra::Vector3;
use pyo3::{exceptions::PyValueError, prelude::*};
use robolog_core::Imu;

use super::{Closing, Out, Output};
use crate::array;

/// Writes LVX: frames of points and inertial measurements.
#[pyclass(frozen, extends = Closing, module = "pyrobolog")]
pub(crate) struct LvxWriter {
    out: Arc<Out<Writing>>,
    devices: Vec<DeviceId>,
    clock: Clock,
}

struct Writing {
    writer: Writer<Output>,
    is_open: bool,
}

#[pymethods]
impl LvxWriter {
    /// Begins a recording of these devices: serial numbers and models, numbered as in LVX.
    #[new]
    #[pyo3(signature = (path, devices, *, version="1.1", clock="unix", force=false))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        devices: Vec<(String, u8)>,
        version: &str,
        clock: &str,
        force: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let version = match version {
            "1.1" => Version::V1_1,
            "2.0" => Version::V2_0,
            other => return Err(PyValueError::new_err(format!("version={other:?}: choose 1.1 or 2.0"))),
        };
        let clock: Clock =
            clock.parse().map_err(|e| PyValueError::new_err(format!("clock={clock:?}: {e}")))?;
        let id = |index: usize| {
            let index = u8::try_from(index).ok()?;
            // LVX2 identifies devices by their addresses: Livox's factory addresses begin at 100.
            let address = || Some(u32::from_le_bytes([192, 168, 1, index.checked_add(100)?]));
            if version == Version::V1_1 {
                Some(DeviceId::Index(index))
            } else {
                address().map(DeviceId::Lidar)
            }
        };
        let ids: Option<Vec<_>> = (0..devices.len()).map(id).collect();
        let ids = ids.ok_or_else(|| PyValueError::new_err("too many devices"))?;
        let listed = devices.iter().zip(&ids);
        let listed =
            listed.map(|((serial, model), id)| Device::new(*id, serial, DeviceType(*model))).collect();
        let header = Header::new(version, listed);
        let begin = |out| Ok(Writing { writer: Writer::new(out, &header)?, is_open: false });
        let (out, base) = Out::create(py, path, force, begin, Writing::finish)?;
        Ok(base.add_subclass(Self { out, devices: ids, clock }))
    }

    /// Begins a frame, and ends the previous one.
    fn frame(&self, py: Python<'_>) -> PyResult<()> {
        self.out.write(py, Writing::next)
    }

    /// Writes points of a device, counted from 0, into the current frame; begins the first frame if needed. Returns how
    /// many points without a return fill the last package of LVX 1.1, which has 96.
    #[pyo3(signature = (device, time_ns, x, y, z, *, intensity=None, tag=None, time_offset=None))]
    #[expect(clippy::too_many_arguments, reason = "they are columns")]
    fn points(
        &self,
        py: Python<'_>,
        device: usize,
        time_ns: i64,
        x: &Bound<'_, PyAny>,
        y: &Bound<'_, PyAny>,
        z: &Bound<'_, PyAny>,
        intensity: Option<&Bound<'_, PyAny>>,
        tag: Option<&Bound<'_, PyAny>>,
        time_offset: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<usize> {
        let cloud = PointCloud {
            x: array::floats(x)?,
            y: array::floats(y)?,
            z: array::floats(z)?,
            intensity: intensity.map(array::floats).transpose()?.unwrap_or_default(),
            tag: tag.map(array::bytes).transpose()?.unwrap_or_default(),
            time_offset: time_offset.map(array::integers).transpose()?.unwrap_or_default(),
            ..PointCloud::default()
        };
        let (device, time) = (self.device(device)?, Timestamp::new(time_ns, self.clock));
        self.out.write(py, |out| out.opened()?.filled_cloud(device, time, &cloud))
    }

    /// Writes an inertial measurement of a device: rad/s, and m/s² with gravity.
    fn imu(
        &self,
        py: Python<'_>,
        device: usize,
        time_ns: i64,
        angular_velocity: [f64; 3],
        linear_acceleration: [f64; 3],
    ) -> PyResult<()> {
        let imu = Imu {
            angular_velocity: Some(Vector3::from(angular_velocity)),
            linear_acceleration: Some(Vector3::from(linear_acceleration)),
            ..Imu::default()
        };
        let (device, time) = (self.device(device)?, Timestamp::new(time_ns, self.clock));
        self.out.write(py, |out| out.opened()?.imu(device, time, &imu))
    }
}

impl LvxWriter {
    fn device(&self, number: usize) -> PyResult<DeviceId> {
        let missing = || PyValueError::new_err(format!("device {number} of {}", self.devices.len()));
        self.devices.get(number).copied().ok_or_else(missing)
    }
}

impl Writing {
    fn next(&mut self) -> lvx::Result<()> {
        if self.is_open {
            self.writer.end_frame()?;
        }
        self.is_open = true;
        self.writer.begin_frame()
    }

    fn opened(&mut self) -> lvx::Result<&mut Writer<Output>> {
        if !self.is_open {
            self.next()?;
        }
        Ok(&mut self.writer)
    }

    fn finish(mut self) -> lvx::Result<Output> {
        if self.is_open {
            self.writer.end_frame()?;
        }
        self.writer.finish()
    }
}
