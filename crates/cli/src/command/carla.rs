//! `robolog carla`: the queries of CARLA's server, without a server.

use std::io::Write;

use carla_rec::{
    StreamReader,
    query::{self, Options},
};
use robolog_convert::{Result, source::Stream};

use crate::{
    args::carla::{Carla, TextArgs},
    progress::Context,
    render,
    status::Status,
};

pub(crate) fn run(args: &Carla, context: Context) -> Result<Status> {
    let (text, query) = match args {
        Carla::Info(args) => (&args.text, Query::Info { all: args.all }),
        Carla::Collisions(args) => {
            (&args.text, Query::Collisions { types: args.types, corrected: args.corrected })
        }
        Carla::Blocked(args) => {
            let (min_time, min_distance, corrected) = (args.min_time, args.min_distance, args.corrected);
            (&args.text, Query::Blocked { min_time, min_distance, corrected })
        }
    };
    let inputs = super::inputs::expand(&text.files, context);
    inputs.each(|file| {
        let input = context.open(file)?;
        if inputs.files.len() > 1 {
            writeln!(render::Findings::new(), "==> {} <==", render::path(file))?;
        }
        let _progress = context.progress(input.len());
        let mut damages = 0_u64;
        let on_damage = &mut |error: carla_rec::Error, lost: std::ops::Range<u64>| {
            damages += 1;
            render::damage(file, &error, &lost);
        };
        answer(&mut input.reader(text.format.name.as_deref())?, &query, text, on_damage)?;
        Ok(if damages > 0 { Status::Lossy } else { Status::Done })
    })
}

enum Query {
    Info { all: bool },
    Collisions { types: [char; 2], corrected: bool },
    Blocked { min_time: f64, min_distance: f64, corrected: bool },
}

fn answer(
    reader: &mut StreamReader<Stream>,
    query: &Query,
    text: &TextArgs,
    on_damage: carla_rec::OnDamage<'_>,
) -> Result<()> {
    let utc_offset = if text.utc { 0 } else { local_offset(reader.header().date) };
    let options = Options::default().with_wording(text.wording()).with_utc_offset(utc_offset);
    let mut out = render::Safe::new(render::Findings::new());
    match *query {
        Query::Info { all } => query::info(reader, options.with_all(all), &mut out, on_damage)?,
        Query::Collisions { types, corrected } => {
            let options = options.with_corrected(corrected);
            query::collisions(reader, types, options, &mut out, on_damage)?;
        }
        Query::Blocked { min_time, min_distance, corrected } => {
            let options = options.with_corrected(corrected);
            query::blocked(reader, min_time, min_distance, options, &mut out, on_damage)?;
        }
    }
    Ok(out.flush()?)
}

/// Offset of the local time zone from UTC in seconds, at a Unix time in seconds.
fn local_offset(unix: i64) -> i32 {
    let zone = jiff::tz::TimeZone::system();
    jiff::Timestamp::from_second(unix).map_or(0, |moment| zone.to_offset(moment).seconds())
}
