//! Calibrations in db.xml, the manufacturer's form: a C++ archive with distances in centimetres and angles in degrees.

use quick_xml::{Reader, events::Event};
use robolog_core::{Error, ErrorKind, Result, slices::InRange as _};

use crate::{
    Calibration, CalibrationSource, Laser,
    calibration::{DEPTH, Lasers, number, resolution},
};

impl Calibration {
    /// Parses a db.xml of any age, whatever fields it has; `label` is its name.
    ///
    /// Returns an error if the text is not XML, lacks a laser, or has a field that is not a number.
    pub fn from_xml(text: &str, label: &str) -> Result<Self> {
        Lasers::check_length(text)?;
        let mut file = File::default();
        let mut reader = Reader::from_str(text);
        loop {
            let event = reader.read_event();
            let at = reader.buffer_position();
            match event.map_err(|e| Error::new(ErrorKind::Xml(Box::new(e)), at).within("db.xml"))? {
                Event::Start(tag) => file.open(tag.name().as_ref(), at)?,
                Event::End(_) => file.close(at)?,
                Event::Text(words) => file.text(&words, at)?,
                Event::Eof => return file.finish(label, at),
                _ => {}
            }
        }
    }
}

/// The data read so far.
#[derive(Debug, Default)]
struct File {
    open: Vec<String>,
    words: String,
    resolution: Option<f64>,
    laser: Laser,
    id: Option<f64>,
    lasers: Lasers,
    min: Vec<f64>,
    max: Vec<f64>,
}

impl File {
    fn open(&mut self, name: &str, at: u64) -> Result<()> {
        let over = |what, len: usize, limit: usize| {
            Err(Error::new(ErrorKind::Limit { what, len: len as u64, limit: limit as u64 }, at)
                .within("db.xml"))
        };
        if self.open.len() >= DEPTH {
            return over("depth", self.open.len(), DEPTH);
        }
        if name.len() > 256 {
            return over("name", name.len(), 256);
        }
        if name == "px" {
            (self.laser, self.id) = (Laser::default(), None);
        }
        self.words.clear();
        self.open.push(name.to_owned());
        Ok(())
    }

    fn text(&mut self, words: &str, at: u64) -> Result<()> {
        // The longest valid value is a number; a longer one is invalid.
        if self.words.len().plus(words.len()) > 4096 {
            let len = words.len() as u64;
            return Err(Error::new(ErrorKind::Limit { what: "text", len, limit: 4096 }, at).within("db.xml"));
        }
        self.words.push_str(words);
        Ok(())
    }

    fn close(&mut self, at: u64) -> Result<()> {
        let name = self.open.pop().unwrap_or_default();
        let words = std::mem::take(&mut self.words);
        let parent = self.open.last().map_or("", String::as_str);
        let value = |what| number(&words, what, at).map_err(|e| e.within("db.xml"));
        match (parent, name.as_str()) {
            (_, "distLSB_") => {
                self.resolution = Some(resolution(value("distLSB_")? / 100.0, at)?);
            }
            ("px", "id_") => self.id = Some(value("id_")?),
            ("px", "rotCorrection_") => self.laser.rot_correction = value("rotCorrection_")?.to_radians(),
            ("px", "vertCorrection_") => self.laser.vert_correction = value("vertCorrection_")?.to_radians(),
            ("px", "distCorrection_") => self.laser.dist_correction = value("distCorrection_")? / 100.0,
            ("px", "distCorrectionX_") => self.laser.dist_correction_x = value("distCorrectionX_")? / 100.0,
            ("px", "distCorrectionY_") => self.laser.dist_correction_y = value("distCorrectionY_")? / 100.0,
            ("px", "vertOffsetCorrection_") => {
                self.laser.vert_offset = value("vertOffsetCorrection_")? / 100.0;
            }
            ("px", "horizOffsetCorrection_") => {
                self.laser.horiz_offset = value("horizOffsetCorrection_")? / 100.0;
            }
            ("px", "focalDistance_") => self.laser.focal_distance = value("focalDistance_")? / 100.0,
            ("px", "focalSlope_") => self.laser.focal_slope = value("focalSlope_")?,
            (_, "px") => {
                let missing = || Error::invalid("laser", "none", "an id_", at).within("db.xml");
                self.lasers
                    .insert(self.id.ok_or_else(missing)?, self.laser, at)
                    .map_err(|e| e.within("db.xml"))?;
            }
            ("minIntensity_", "item") if self.min.len() < crate::MAX_LASERS => {
                self.min.push(value("minIntensity_")?);
            }
            ("maxIntensity_", "item") if self.max.len() < crate::MAX_LASERS => {
                self.max.push(value("maxIntensity_")?);
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self, label: &str, at: u64) -> Result<Calibration> {
        if !self.open.is_empty() {
            return Err(Error::truncated(1, at).within("db.xml"));
        }
        for (index, min) in self.min.iter().enumerate() {
            self.lasers.get_mut(index).into_iter().for_each(|laser| laser.min_intensity = *min);
        }
        for (index, max) in self.max.iter().enumerate() {
            self.lasers.get_mut(index).into_iter().for_each(|laser| laser.max_intensity = *max);
        }
        let mut lasers = self.lasers.finish(at).map_err(|e| e.within("db.xml"))?;
        // Files of sensors with 16 and 32 lasers list 64.
        let used = lasers.iter().rposition(|laser| *laser != Laser::default()).map_or(0, |last| last.plus(1));
        lasers.truncate(if used <= 16 {
            16
        } else if used <= 32 {
            32
        } else {
            lasers.len()
        });
        Ok(Calibration {
            source: CalibrationSource::Xml,
            label: label.to_owned(),
            distance_resolution: self.resolution.unwrap_or(0.002),
            lasers,
        })
    }
}
