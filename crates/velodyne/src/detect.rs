//! Identifies the sensor from its packets.

use std::fmt;

use crate::{Bank, Generation, Model, Packet, ReturnMode, Trailer, layout::ClockTrailer};

/// The result of a [`Detector`].
///
/// ```
/// use velodyne_packet::{Detection, Generation, Model, ReturnMode};
/// let sensor = Detection::assume(Model::Hdl32e, ReturnMode::Strongest, Generation::Factory);
/// assert_eq!((sensor.model.lasers(), sensor.generation.has_clock()), (32, true));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Detection {
    /// The sensor.
    pub model: Model,
    /// The returns it reports.
    pub return_mode: ReturnMode,
    /// Content of the last six bytes.
    pub generation: Generation,
    /// Number of packets examined.
    pub packets: usize,
    /// The evidence, in words: for the model, for the returns, for the last six bytes.
    pub evidence: Vec<String>,
}

impl Detection {
    /// A result given by the caller, without examining packets.
    pub fn assume(model: Model, return_mode: ReturnMode, generation: Generation) -> Self {
        Self { model, return_mode, generation, packets: 0, evidence: vec!["as the caller says".to_owned()] }
    }
}

impl fmt::Display for Detection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} returns, {}", self.model, self.return_mode, self.generation)
    }
}

/// Identifies the sensor that wrote the packets.
///
/// Eight packets suffice, with one exception: an HDL-64E of the later generations is identified as S2 or S3 only by its
/// clock steps, which takes a few dozen packets if some are missing.
///
/// ```
/// use velodyne_packet::{Detector, Model, PACKET_LEN, ReturnMode, packets};
/// let mut bytes = [0; PACKET_LEN];
/// for block in bytes.chunks_exact_mut(100) {
///     block[..2].copy_from_slice(&[0xff, 0xee]);
/// }
/// bytes[PACKET_LEN - 2..].copy_from_slice(&[0x39, 0x22]);
/// let found = Detector::detect(packets(&bytes)).unwrap();
/// assert_eq!((found.model, found.return_mode), (Model::Vlp16, ReturnMode::Dual));
/// assert_eq!(found.evidence[0], "model byte 0x22 in 1 of 1 packets");
/// ```
#[derive(Debug, Clone)]
pub struct Detector {
    packets: u32,
    banks: [u32; 4],
    text: u32,
    /// Packets whose blocks repeat one lower and three upper.
    triples: u32,
    /// Packets of a turning HDL-64E, and how many of these have each rotation twice.
    turning: u32,
    doubled: u32,
    models: [u32; 256],
    modes: [u32; 256],
    status_ids: u32,
    warnings: u32,
    clock: Option<u32>,
    /// Clock steps close to those of S3 in either mode, and close to those of S2.
    steps_s3: u32,
    steps_s2: u32,
    /// The model, if the caller knows it.
    told: Option<Model>,
}

impl Default for Detector {
    fn default() -> Self {
        Self {
            packets: 0,
            banks: [0; 4],
            text: 0,
            triples: 0,
            turning: 0,
            doubled: 0,
            models: [0; 256],
            modes: [0; 256],
            status_ids: 0,
            warnings: 0,
            clock: None,
            steps_s3: 0,
            steps_s2: 0,
            told: None,
        }
    }
}

impl Detector {
    /// Examines these packets, at most 4096 of them.
    pub fn detect<'a>(packets: impl IntoIterator<Item = Packet<'a>>) -> Option<Detection> {
        let mut detector = Self::default();
        packets.into_iter().take(4096).for_each(|packet| detector.push(packet));
        detector.verdict()
    }

    /// Sets the model, for packets that do not name it, or a wrong one; the rest is still inferred.
    #[must_use]
    pub fn with_model(mut self, model: Option<Model>) -> Self {
        self.told = model;
        self
    }

    /// Examines a packet; packets must be in the order sent.
    pub fn push(&mut self, packet: Packet<'_>) {
        let mut order = [None; 12];
        let mut turns = [0; 12];
        for ((bank, turn), block) in order.iter_mut().zip(&mut turns).zip(packet.blocks()) {
            *bank = block.bank();
            *turn = block.rotation();
        }
        if order.iter().all(Option::is_none) {
            return;
        }
        add(&mut self.packets);
        let bytes = packet.trailer_bytes();
        for (seen, bank) in self.banks.iter_mut().zip([Bank::Upper, Bank::Lower, Bank::Third, Bank::Fourth]) {
            *seen = seen.saturating_add(u32::from(order.contains(&Some(bank))));
        }
        let (lower, upper) = (Some(Bank::Lower), Some(Bank::Upper));
        if order.as_chunks().0.iter().all(|four| *four == [lower, upper, upper, upper]) {
            add(&mut self.triples);
        }
        if turns.first() != turns.last() {
            add(&mut self.turning);
            // Both returns of a shot have the same rotation; the next shot has another, unless the head stood still.
            let [first, _, first_again, _, second, _, second_again, _, third, _, third_again, _] = turns;
            let pairs = [(first, first_again), (second, second_again), (third, third_again)];
            if pairs.iter().all(|(once, again)| once == again) && first != second && second != third {
                add(&mut self.doubled);
            }
        }
        if Trailer::is_spin_temperature(bytes) {
            add(&mut self.text);
        }
        let ClockTrailer { clock, id: mode, value: model } = ClockTrailer::from_bytes(&bytes);
        count(&mut self.models, model);
        count(&mut self.modes, mode);
        if b"HMSDNYGTVW1234567".contains(&mode) {
            add(&mut self.status_ids);
        }
        if mode == b'W' {
            add(&mut self.warnings);
        }
        match self.clock.replace(clock).and_then(|before| clock.checked_sub(before)) {
            Some(283..=293) => add(&mut self.steps_s2),
            Some(340..=351 | 168..=178) => add(&mut self.steps_s3),
            _ => {}
        }
    }

    /// The result so far; `None` if the packets are not from a supported sensor.
    pub fn verdict(&self) -> Option<Detection> {
        let [upper, lower, third, fourth] = self.banks;
        if let Some(model) = self.told.filter(|_| self.packets > 0) {
            let words = "model as given".to_owned();
            if !model.is_hdl64e() {
                return Some(self.factory(model, words));
            }
            let mut detection = self.hdl64e();
            detection.model = model;
            detection.evidence.first_mut().into_iter().for_each(|first| first.clone_from(&words));
            return Some(detection);
        }
        if third > 0 || fourth > 0 {
            let model =
                format!("blocks of lasers 64 to 127 in {} of {} packets", third.max(fourth), self.packets);
            return Some(self.factory(Model::Vls128, model));
        }
        if lower > 0 {
            return Some(self.hdl64e());
        }
        let (id, seen) = most(&self.models);
        let model = Model::from_id(id).filter(|_| upper > 0)?;
        let mut words = format!("model byte {id:#04x} in {seen} of {} packets", self.packets);
        if model == Model::Vlp32b {
            words.push_str(", which the VLP-32A has too");
        }
        Some(self.factory(model, words))
    }

    fn factory(&self, model: Model, words: String) -> Detection {
        let (id, seen) = most(&self.modes);
        let (return_mode, mode) = match ReturnMode::from_id(id) {
            Some(mode) => (mode, format!("return mode byte {id:#04x} in {seen} of {} packets", self.packets)),
            None => {
                (ReturnMode::Strongest, format!("return mode byte {id:#04x} is unknown: assuming strongest"))
            }
        };
        let clock = "the last byte is a model, so the first four are a clock".to_owned();
        self.detection(model, return_mode, Generation::Factory, vec![words, mode, clock])
    }

    fn hdl64e(&self) -> Detection {
        let text = self.text > self.packets / 2;
        let (generation, trailer) = if text {
            (
                Generation::SpinTemperature,
                format!("firmware or DegC in {} of {} packets", self.text, self.packets),
            )
        } else {
            (Generation::Status, format!("a status id in {} of {} packets", self.status_ids, self.packets))
        };
        let (model, words) = if self.triples > self.packets / 2 {
            (Model::Hdl64eS1, format!("three upper blocks for each lower one in {} packets", self.triples))
        } else if text {
            (Model::Hdl64eS2, "blocks in pairs, and text in the last six bytes".to_owned())
        } else if self.warnings > 0 {
            (Model::Hdl64eS3, format!("blocks in pairs, and {} bytes of status W", self.warnings))
        } else if self.steps_s3 > self.steps_s2 {
            (Model::Hdl64eS3, format!("blocks in pairs, and {} clock steps of 346 or 173 µs", self.steps_s3))
        } else if self.steps_s2 > 0 {
            (Model::Hdl64eS2, format!("blocks in pairs, and {} clock steps of 288 µs", self.steps_s2))
        } else {
            (Model::Hdl64eS2, "blocks in pairs; nothing distinguishes S2 from S3".to_owned())
        };
        let doubled = model != Model::Hdl64eS1 && self.doubled > self.turning / 2;
        let (return_mode, mode) = if doubled && self.doubled > 0 {
            (
                ReturnMode::Dual,
                format!("each rotation twice in {} of {} turning packets", self.doubled, self.turning),
            )
        } else if self.turning == 0 {
            (ReturnMode::Strongest, "the head stands still: assuming single returns".to_owned())
        } else {
            (ReturnMode::Strongest, format!("each rotation once in {} turning packets", self.turning))
        };
        self.detection(model, return_mode, generation, vec![words, mode, trailer])
    }

    fn detection(
        &self,
        model: Model,
        return_mode: ReturnMode,
        generation: Generation,
        evidence: Vec<String>,
    ) -> Detection {
        let packets = usize::try_from(self.packets).unwrap_or(usize::MAX);
        Detection { model, return_mode, generation, packets, evidence }
    }
}

fn add(n: &mut u32) {
    *n = n.saturating_add(1);
}

fn count(counts: &mut [u32; 256], byte: u8) {
    counts.get_mut(usize::from(byte)).into_iter().for_each(add);
}

/// The most frequent byte, and its count.
fn most(counts: &[u32; 256]) -> (u8, u32) {
    (0..=u8::MAX).zip(counts.iter().copied()).max_by_key(|(_, seen)| *seen).unwrap_or((0, 0))
}
