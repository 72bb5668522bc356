//! Why packets of a capture give nothing.

use std::{collections::BTreeMap, fmt};

use robolog_core::{Severity, format::SurveyBuilder};

use crate::{Datagram, datagram::Unread};

/// The packets that give nothing, by cause.
#[derive(Debug, Default)]
pub(super) struct Causes {
    packets: u64,
    links: BTreeMap<u16, Tally>,
    cut: Tally,
    /// Greatest length to which packets were cut.
    longest: usize,
    fragments: Tally,
    ipv6: Tally,
    /// Datagrams of something else, by destination port and size.
    foreign: BTreeMap<(u16, usize), Tally>,
    /// Those beyond the most kinds.
    further: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    count: u64,
    /// Offset of the first.
    first: u64,
}

/// Maximum number of kinds of datagrams counted apart.
const KINDS: usize = 256;
/// Maximum number of kinds named.
const NAMED: usize = 3;

impl Tally {
    fn add(&mut self, offset: u64) {
        if self.count == 0 {
            self.first = offset;
        }
        self.count += 1;
    }
}

impl Causes {
    /// Counts a packet, whatever it gives.
    #[inline]
    pub(super) fn packet(&mut self) {
        self.packets += 1;
    }

    /// Counts a packet without a datagram.
    pub(super) fn unread(&mut self, why: Unread, offset: u64) {
        match why {
            Unread::Link(link) => self.links.entry(link).or_default().add(offset),
            Unread::Cut(len) => {
                self.longest = self.longest.max(len);
                self.cut.add(offset);
            }
            Unread::Fragment => self.fragments.add(offset),
            Unread::Ipv6 => self.ipv6.add(offset),
            Unread::NoDatagram => {}
        }
    }

    /// Counts a datagram that no LiDAR of ours sent.
    pub(super) fn foreign(&mut self, datagram: &Datagram<'_>, offset: u64) {
        let kind = (datagram.destination_port, datagram.payload.len());
        if self.foreign.len() < KINDS || self.foreign.contains_key(&kind) {
            self.foreign.entry(kind).or_default().add(offset);
        } else {
            self.further += 1;
        }
    }

    /// Notes the causes. If nothing was read, all of them; otherwise those that a user should know.
    pub(super) fn note(&self, has_read: bool, notes: &mut SurveyBuilder) {
        if has_read {
            return self.beside(notes);
        }
        let before =
            self.lines(&mut |tally, line| notes.find(Severity::Warning, NOTHING_READ, tally.first, line));
        if before == 0 {
            let line = match self.packets {
                0 => "the capture has no packets".to_owned(),
                n => format!("{}, and none of a LiDAR", Count(n, "packet")),
            };
            notes.find(Severity::Warning, NOTHING_READ, 0, line);
        }
    }

    /// The causes of a capture that gave something.
    fn beside(&self, notes: &mut SurveyBuilder) {
        if self.cut.count > 0 {
            notes.find(Severity::Warning, "cut-packets", self.cut.first, self.cut_line());
        }
        for ((port, size), tally) in &self.foreign {
            if let Some(maker) = maker(*port, *size).filter(|maker| *maker != LIVOX) {
                let line = Foreign { count: tally.count, port: *port, size: *size, maker: Some(maker) };
                notes.find(Severity::Note, "other-lidar", tally.first, line);
            }
        }
    }

    /// A line for each cause; returns their number.
    fn lines(&self, each: &mut dyn FnMut(&Tally, &dyn fmt::Display)) -> usize {
        let mut lines = 0;
        let mut say = |tally: &Tally, line: &dyn fmt::Display| {
            lines += 1;
            each(tally, line);
        };
        for (link, tally) in &self.links {
            let (count, name) = (Count(tally.count, "packet"), link_name(*link));
            say(tally, &format_args!("{count} of link type {link}{name}, which is not supported"));
        }
        if self.cut.count > 0 {
            say(&self.cut, &self.cut_line());
        }
        if self.fragments.count > 0 {
            let count = Count(self.fragments.count, "fragment");
            say(&self.fragments, &format_args!("{count} of IP datagrams, which are not put together"));
        }
        if self.ipv6.count > 0 {
            say(
                &self.ipv6,
                &format_args!("{} over IPv6, which is not read", Count(self.ipv6.count, "datagram")),
            );
        }
        let mut foreign: Vec<_> = self.foreign.iter().collect();
        // Those of a known maker first, then the most frequent.
        foreign.sort_by_key(|((port, size), tally)| {
            (maker(*port, *size).is_none(), std::cmp::Reverse(tally.count))
        });
        for ((port, size), tally) in foreign.iter().take(NAMED) {
            let maker = maker(*port, *size);
            say(tally, &Foreign { count: tally.count, port: *port, size: *size, maker });
        }
        let rest = foreign.iter().skip(NAMED).map(|(_, tally)| tally.count).sum::<u64>() + self.further;
        if rest > 0 {
            say(&Tally::default(), &format_args!("{} of other kinds", Count(rest, "datagram")));
        }
        lines
    }

    fn cut_line(&self) -> String {
        let len = self.longest;
        if self.cut.count == self.packets {
            return format!("all {} were cut to {len} bytes when captured", Count(self.packets, "packet"));
        }
        let cut = self.cut.count;
        format!("{cut} of {} were cut to {len} bytes or less when captured", Count(self.packets, "packet"))
    }

    /// What gave nothing in a capture that gave nothing, and why; `None` for one without packets.
    pub(super) fn main(&self) -> Option<(&'static str, &'static str)> {
        let links = self.links.values().map(|tally| tally.count).sum();
        let foreign = self.foreign.values().map(|tally| tally.count).sum();
        let all: [(u64, _, _); 5] = [
            (links, "the packets", "their link type is not supported"),
            (self.cut.count, "the packets", "they were cut when captured"),
            (self.fragments.count, "the packets", "they are fragments of IP datagrams"),
            (self.ipv6.count, "the datagrams", "they were sent over IPv6"),
            (foreign, "the datagrams", "they are neither of a Velodyne nor points of a Livox"),
        ];
        let most = all.into_iter().filter(|(count, ..)| *count > 0).max_by_key(|(count, ..)| *count);
        most.map(|(_, what, why)| (what, why))
    }
}

/// The code of findings about a capture that gives nothing.
pub(super) const NOTHING_READ: &str = "nothing-read";

/// Datagrams of something else.
struct Foreign {
    count: u64,
    port: u16,
    size: usize,
    maker: Option<&'static str>,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { count, port, size, maker } = self;
        write!(f, "{} of {size} bytes to port {port}: ", Count(*count, "datagram"))?;
        match maker {
            Some(LIVOX) => f.write_str("messages of a Livox without points"),
            Some(maker) => write!(f, "neither Velodyne nor Livox, probably {maker}"),
            None => f.write_str("neither Velodyne nor Livox"),
        }
    }
}

/// A number and a noun.
struct Count(u64, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(n, noun) = self;
        write!(f, "{n} {noun}{}", if *n == 1 { "" } else { "s" })
    }
}

const LIVOX: &str = "Livox";

/// The maker of LiDARs that send datagrams of this size to this port by default.
fn maker(port: u16, size: usize) -> Option<&'static str> {
    Some(match (port, size) {
        (_, 3392 | 6464 | 12_608 | 24_896) | (7502, _) | (7503, 48) => "Ouster",
        (_, 1248) | (6699 | 7788, _) => "RoboSense",
        // All sizes but a Velodyne's.
        (2368, 512..=1205 | 1207..=1500) | (10_110, 512) => "Hesai",
        (2111 | 2112 | 2115 | 2122 | 6060 | 6666, 64..) => "SICK",
        (55_000 | 56_000 | 56_100 | 56_101 | 56_200 | 56_201 | 65_000, _) => LIVOX,
        _ => return None,
    })
}

/// The name of a link type that people meet, in brackets.
const fn link_name(link: u16) -> &'static str {
    match link {
        9 => " (PPP)",
        105 => " (Wi-Fi)",
        127 => " (Wi-Fi with radiotap headers)",
        147..=162 => " (reserved for private use)",
        189 | 220 | 249 => " (USB)",
        195 | 215 | 230 => " (IEEE 802.15.4)",
        201 => " (Bluetooth)",
        227 => " (CAN)",
        _ => "",
    }
}
