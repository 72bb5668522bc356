//! The published constants and models that the files obey.

use super::{Dataset, Interface, Result, TableFile};
use crate::{
    motion::{Calibration, Model, Reckoning, SignalReport, Verdict, WHEELBASE, compare},
    table::{Acc, DeadReckoned, Gyro, Motor, Steering, TableKind, TableRow, Wheels},
};

/// Results for one interface of the vehicle's bus.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Verification {
    /// The interface.
    pub interface: String,
    /// Its folder.
    pub folder: String,
    /// Fits of each signal, from raw and converted columns.
    pub signals: Vec<SignalReport>,
    /// Comparisons with the files of poses.
    pub poses: Vec<Poses>,
    /// Invalid rows, which were left out.
    pub odd_rows: u64,
}

/// A file of poses compared with every variant of dead reckoning.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Poses {
    /// The file.
    pub path: String,
    /// The comparison.
    pub reckoning: Reckoning,
}

impl Verification {
    /// Signals for which no published constant holds or is near.
    pub fn unexplained(&self) -> impl Iterator<Item = &SignalReport> {
        self.signals
            .iter()
            .filter(|s| s.fitted.is_some() && s.candidates.iter().all(|c| c.verdict == Verdict::Fails))
    }
}

impl Dataset {
    /// Fits the constants of conversion, compares them with the published ones, and runs every variant of dead
    /// reckoning, for each interface with tables of the vehicle's bus. Constant memory; every table is read once, those
    /// of the motor and the steering three times.
    ///
    /// Returns an error if a file cannot be read; invalid rows are counted and left out.
    pub fn verify(&self) -> Result<Vec<Verification>> {
        self.verify_with(WHEELBASE)
    }

    /// The same with another wheelbase, in metres.
    pub fn verify_with(&self, wheelbase: f64) -> Result<Vec<Verification>> {
        let mut all = Vec::new();
        for interface in self.interfaces() {
            let verification = self.verify_interface(interface, wheelbase)?;
            if !(verification.signals.is_empty() && verification.poses.is_empty()) {
                all.push(verification);
            }
        }
        Ok(all)
    }

    fn verify_interface(&self, interface: &Interface, wheelbase: f64) -> Result<Verification> {
        let mut sums = Calibration::default();
        let mut odd_rows = 0_u64;
        let (mut motor, mut steering) = (None, None);
        for table in &interface.tables {
            let odd = &mut odd_rows;
            match table.kind {
                TableKind::Motor => {
                    motor = Some(table);
                    self.each(table, odd, |row: &Motor| sums.motor(row))?;
                }
                TableKind::Steering => {
                    steering = Some(table);
                    self.each(table, odd, |row: &Steering| sums.steering(row))?;
                }
                TableKind::Wheels => self.each(table, odd, |row: &Wheels| sums.wheels(row))?,
                TableKind::Acc => self.each(table, odd, |row: &Acc| sums.acc(row))?,
                TableKind::Gyro => self.each(table, odd, |row: &Gyro| sums.gyro(row))?,
                _ => {}
            }
        }
        let mut poses = Vec::new();
        if let (Some(motor), Some(steering)) = (motor, steering) {
            for table in &interface.tables {
                let model = match table.kind {
                    TableKind::DeadReckoned => Model::Velocity,
                    TableKind::DeadReckoned2 => Model::Distance,
                    _ => continue,
                };
                let reckoning = compare(
                    model,
                    wheelbase,
                    self.rows::<Motor>(motor)?.filter_map(Result::ok),
                    self.rows::<Steering>(steering)?.filter_map(Result::ok),
                    self.rows::<DeadReckoned>(table)?.filter_map(Result::ok),
                );
                poses.push(Poses { path: table.path.clone(), reckoning });
            }
        }
        let (interface, folder) = (interface.id.clone(), interface.folder.clone());
        Ok(Verification { interface, folder, signals: sums.report(), poses, odd_rows })
    }

    fn each<T: TableRow>(&self, table: &TableFile, odd: &mut u64, mut visit: impl FnMut(&T)) -> Result<()> {
        for row in self.rows::<T>(table)? {
            match row {
                Ok(row) => visit(&row),
                Err(fault) if fault.line() == 0 => return Err(fault),
                Err(_) => *odd += 1,
            }
        }
        Ok(())
    }
}
