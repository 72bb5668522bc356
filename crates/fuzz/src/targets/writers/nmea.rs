//! NMEA sentences.

use arbitrary::{Result, Unstructured};
use robolog_core::Clock;
use robolog_nmea::{
    Coordinate, Date, Decimal, Gga, Gsa, Gsv, GsvSatellite, Hdt, Header, Message, Nmea, Rmc, Sentence, Time,
    Vtg, Writer,
};

use crate::values::{self, many, maybe};

pub(in super::super) fn write(data: &[u8]) {
    let _ = messages(&mut Unstructured::new(data));
}

fn decimal(u: &mut Unstructured<'_>) -> Result<Option<Decimal>> {
    Ok(match u.int_in_range(0..=2)? {
        0 => None,
        1 => Some(Decimal::new(u.arbitrary()?, u.arbitrary()?)),
        _ => Decimal::from_f64(values::number(u)?, u.arbitrary()?),
    })
}

fn time(u: &mut Unstructured<'_>) -> Result<Option<Time>> {
    let [hour, minute, second, decimals] =
        [u.int_in_range(0..=25)?, u.int_in_range(0..=60)?, u.int_in_range(0..=61)?, u.int_in_range(0..=10)?];
    Ok(if u.arbitrary()? {
        Time::new(hour, minute, second, u.arbitrary()?, decimals)
    } else {
        Time::of(values::time(u)?)
    })
}

fn satellite(u: &mut Unstructured<'_>) -> Result<GsvSatellite> {
    let id = maybe(u, Unstructured::arbitrary)?;
    Ok(GsvSatellite { id, elevation: decimal(u)?, azimuth: decimal(u)?, snr: decimal(u)? })
}

fn messages(u: &mut Unstructured<'_>) -> Result<()> {
    let mut writer = Writer::new(Vec::new(), &Header::default()).unwrap();
    let mut written = 0;
    while !u.is_empty() && written < 20 {
        let text = values::text(u)?;
        let decimals = u.int_in_range(0..=12)?;
        let latitude = Coordinate::latitude(values::number(u)?, decimals);
        let longitude = Coordinate::longitude(values::number(u)?, decimals);
        let message = match u.int_in_range(0..=6)? {
            0 => Message::Gga(Gga {
                time: time(u)?,
                latitude,
                longitude,
                quality: Some(u.arbitrary()?),
                satellites: Some(u.arbitrary()?),
                hdop: decimal(u)?,
                altitude: decimal(u)?,
                separation: decimal(u)?,
                age: decimal(u)?,
                ..Gga::default()
            }),
            1 => Message::Gga(Gga::from_fix(
                &values::fix(u)?,
                Some(values::time(u)?).filter(|time| time.clock() == Clock::Unix),
            )),
            2 => Message::Rmc(Rmc {
                time: time(u)?,
                status: u.arbitrary()?,
                latitude,
                longitude,
                speed: decimal(u)?,
                date: Date::new(
                    u.int_in_range(1970..=2100)?,
                    u.int_in_range(0..=13)?,
                    u.int_in_range(0..=32)?,
                ),
                ..Rmc::default()
            }),
            3 => {
                let satellites = many(u, 5, satellite)?;
                Message::Gsv(Gsv::new(u.arbitrary()?, u.arbitrary()?, u.arbitrary()?, &satellites))
            }
            4 => {
                let mut gsa = Gsa::new(&many(u, 25, Unstructured::arbitrary)?);
                (gsa.pdop, gsa.dimensions, gsa.selection) = (decimal(u)?, u.arbitrary()?, u.arbitrary()?);
                Message::Gsa(gsa)
            }
            5 => Message::Hdt(Hdt { heading: decimal(u)? }),
            _ => Message::Vtg(Vtg { speed_kmh: decimal(u)?, mode: u.arbitrary()?, ..Vtg::default() }),
        };
        let talker = if u.ratio(1, 4)? { text.as_str() } else { "GP" };
        let Ok(sentence) = message.to_sentence(talker) else { continue };
        let shown = String::from_utf8_lossy(&sentence).into_owned();
        let parsed =
            Sentence::parse(&sentence).unwrap_or_else(|error| panic!("{error}: {shown:?} of {message:?}"));
        assert_eq!((parsed.talker(), parsed.bytes().len()), (talker, sentence.len()), "{shown:?}");
        // Equal numbers may have different digits; the written text is the same.
        let decoded = Message::decode(&parsed).unwrap_or_else(|error| panic!("{error}: {shown:?}")).unwrap();
        let again = decoded.to_sentence(talker).unwrap();
        assert_eq!(String::from_utf8_lossy(&again), shown, "{message:?}");
        writer.message(talker, &message).unwrap();
        written += 1;
    }
    let file = writer.finish().unwrap();
    testkit::assert_agrees::<Nmea>("written", &file);
    Ok(())
}
