//! The interface to Foxglove's app, which calls the loader and owns the files.
#![allow(unsafe_code, reason = "functions cross the border by their plain names and by addresses")]

use std::{
    io::{self, Read, Seek, SeekFrom},
    rc::Rc,
};

use foxglove::Schema;
use foxglove_data_loader::{
    BackfillArgs, DataLoader, DataLoaderArgs, Initialization, Message, MessageIterator, MessageIteratorArgs,
    Problem, Severity, reader,
};
use robolog_convert::{robolog_core::slices::InRange as _, seek_place};

use crate::{Index, Owned, Recording, Window};

foxglove_data_loader::export!(Loader);

/// The loader of one file.
pub(crate) struct Loader {
    paths: Vec<String>,
    index: Option<Rc<Index>>,
}

impl Loader {
    fn index(&self) -> Result<&Rc<Index>, String> {
        self.index.as_ref().ok_or_else(|| "the file is not read yet".to_owned())
    }
}

/// The app numbers topics from 1.
const fn number(index: u16) -> u16 {
    index.saturating_add(1)
}

fn topics(channels: &[u16]) -> Vec<u16> {
    channels.iter().filter_map(|channel| channel.checked_sub(1)).collect()
}

fn message(Owned { topic, log_time, data }: Owned) -> Message {
    Message { channel_id: number(topic), log_time, publish_time: log_time, data }
}

impl DataLoader for Loader {
    type MessageIterator = Messages;
    type Error = String;

    fn new(DataLoaderArgs { paths }: DataLoaderArgs) -> Self {
        Self { paths, index: None }
    }

    fn initialize(&mut self) -> Result<Initialization, String> {
        let [path] = &*self.paths else { return Err("one recording at a time".to_owned()) };
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let (len, path) = (reader::open(path).size(), path.clone());
        let recording =
            Recording::new(name, len, move || Ok(File { reader: reader::open(&path), at: 0, len }));
        let index = Index::new(&recording).map_err(|error| error.to_string())?;
        let (start, end) = index.span().unwrap_or_default();
        let mut told = Initialization::builder().start_time(start).end_time(end);
        let mut schemas = Vec::new();
        for schema in index.schemas() {
            let data = schema.data.clone().into_owned();
            schemas.push(told.add_schema(Schema::new(&*schema.name, schema.encoding, data)));
        }
        for topic in index.topics() {
            let Some(schema) = schemas.get(usize::from(topic.schema)) else { continue };
            let channel = told.add_channel(topic.name).message_count(topic.messages);
            let _ = channel.message_encoding(topic.encoding).schema(schema);
        }
        for problem in index.problems() {
            let severity = if problem.is_damage { Severity::Error } else { Severity::Warn };
            told = told.add_problem(Problem::new(severity, problem.message.clone()));
        }
        self.index = Some(index);
        Ok(told.build())
    }

    fn create_iter(&mut self, args: MessageIteratorArgs) -> Result<Messages, String> {
        let times = args.start_time.unwrap_or(0)..=args.end_time.unwrap_or(u64::MAX);
        Ok(Messages(self.index()?.window(&topics(&args.channels), times)))
    }

    fn get_backfill(&mut self, args: BackfillArgs) -> Result<Vec<Message>, String> {
        let found = self.index()?.backfill(&topics(&args.channels), args.time);
        Ok(found.map_err(|error| error.to_string())?.into_iter().map(message).collect())
    }
}

/// Iterator from which the app pulls messages.
pub(crate) struct Messages(Window);

impl MessageIterator for Messages {
    type Error = String;

    fn next(&mut self) -> Option<Result<Message, String>> {
        let next = self.0.next()?;
        Some(next.map(message).map_err(|error| error.to_string()))
    }
}

/// A file owned by the app.
struct File {
    reader: reader::Reader,
    at: u64,
    len: u64,
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.len || buffer.is_empty() {
            return Ok(0);
        }
        let got = Read::read(&mut self.reader, buffer)?;
        if got > buffer.len() {
            return Err(io::Error::other("more bytes were given than asked for"));
        }
        self.at = self.at.plus(got as u64);
        Ok(got)
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = seek_place(to, self.at, || Ok(self.len))?;
        self.reader.seek(self.at);
        Ok(self.at)
    }
}
