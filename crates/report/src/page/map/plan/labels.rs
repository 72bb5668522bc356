//! Places names beside their marks on a map, without hiding a mark or another name, and if possible no line.

use super::Plan;
use crate::collect::track::Ground;

/// Placement of a name relative to its mark, and whether it only fits wide screens.
pub(super) struct Spot {
    /// CSS class of the placement.
    pub(super) side: &'static str,
    pub(super) is_wide: bool,
}

/// Size of a name in pixels.
#[derive(Clone, Copy)]
pub(super) struct Type {
    /// Distance from the centre of the mark to the name.
    pub(super) gap: f64,
    /// Width of a letter.
    pub(super) letter: f64,
    /// Allowed sides.
    pub(super) sides: &'static [Side],
}

/// Side of the mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Right,
    Left,
    Below,
    Above,
}

const ALL: &[Side] = &[Side::Right, Side::Left, Side::Below, Side::Above];

impl Type {
    /// Start and end of a track.
    pub(super) const END: Self = Self { gap: 11.0, letter: 7.4, sides: ALL };
    /// A place, and the end of one of many tracks.
    pub(super) const PLACE: Self = Self { gap: 6.0, letter: 6.4, sides: ALL };
    /// An area, centred.
    pub(super) const AREA: Self = Self { gap: 0.0, letter: 6.4, sides: &[] };
    /// Bold words below their mark.
    const WORDS: Self = Self { gap: 2.0, letter: 8.2, sides: &[Side::Below] };

    fn width(self, name: &str) -> f64 {
        let letter = |c: char| match c {
            c if !c.is_ascii() => 1.8,
            c if c.is_ascii_uppercase() => 1.25,
            _ => 1.0,
        };
        name.chars().map(letter).sum::<f64>() * self.letter
    }
}

/// Left, top, right and bottom in pixels.
type Rect = [f64; 4];

/// Placed names of one map.
pub(super) struct Labels {
    /// The map at four typical widths: two of wide screens, two of phones.
    screens: [Screen; 4],
}

struct Screen {
    width: f64,
    height: f64,
    taken: Vec<Rect>,
    /// Squares of [`CELL`] pixels crossed by a line.
    lines: Vec<bool>,
    columns: usize,
}

const CELL: f64 = 8.0;
/// Half the height of a line of text.
const HALF: f64 = 7.0;
/// Number of wide screens.
const WIDE: usize = 2;

impl Labels {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let ratio = (plan.y.1 - plan.y.0) / (plan.x.1 - plan.x.0);
        let ways: Vec<Vec<(f64, f64)>> = plan
            .ways
            .iter()
            .filter(|way| way.is_moving)
            .map(|way| super::few(&way.places, 400).into_iter().map(|place| plan.per_cent(place)).collect())
            .collect();
        let widest = plan.widest();
        // Two maps are side by side.
        let tracks = &plan.recording.kept.tracks;
        let is_pair = [Ground::Earth, Ground::Local]
            .into_iter()
            .all(|ground| tracks.iter().any(|track| track.ground() == ground));
        let least = if is_pair { 560.0 } else { 720.0 };
        Self {
            screens: [912.0, least, 720.0, 296.0]
                .map(|width: f64| Screen::new(width.min(widest), ratio, &ways)),
        }
    }

    /// Reserves the space of a mark, at per cent of the map.
    pub(super) fn mark(&mut self, at: (f64, f64), half: f64) {
        for screen in &mut self.screens {
            let (x, y) = screen.pixel(at);
            screen.taken.push([x - half, y - half, x + half, y + half]);
        }
    }

    /// Reserves the space of the grid numbers, at these per cents from the left and from the top.
    pub(super) fn grid(&mut self, columns: &[f64], rows: &[f64]) {
        for screen in &mut self.screens {
            let Screen { width, height, .. } = *screen;
            screen.taken.extend(columns.iter().map(|left| {
                let x = left / 100.0 * width;
                [x - 24.0, height - 16.0, x + 24.0, height]
            }));
            screen.taken.extend(rows.iter().map(|top| {
                let y = top / 100.0 * height;
                [0.0, y - HALF, 44.0, y + HALF]
            }));
        }
    }

    /// Reserves the space of the text below a collision, which only wide screens show.
    pub(super) fn block(&mut self, at: (f64, f64), words: &str) {
        let width = Type::WORDS.width(words);
        for screen in self.screens.iter_mut().take(WIDE) {
            let (x, y) = screen.pixel(at);
            screen.taken.push([x - 6.0, y + 8.0, x + width, y + 26.0]);
        }
    }

    /// Finds a free position for a name; `None` if there is none.
    pub(super) fn place(&mut self, at: (f64, f64), name: &str, of: Type) -> Option<Spot> {
        if name.is_empty() {
            return None;
        }
        let width = of.width(name);
        let rect = |screen: &Screen, side: Option<Side>| {
            let (x, y) = screen.pixel(at);
            let (left, middle) = match side {
                Some(Side::Right) => (x + of.gap, y),
                Some(Side::Left) => (x - of.gap - width, y),
                Some(Side::Below) => (x - width / 2.0, y + HALF + 0.85 * of.gap),
                Some(Side::Above) => (x - width / 2.0, y - HALF - 0.85 * of.gap),
                None => (x - width / 2.0, y),
            };
            [left, middle - HALF, left + width, middle + HALF]
        };
        let sides = || of.sides.iter().copied().map(Some).chain(of.sides.is_empty().then_some(None));
        let free = |screens: &[Screen], side, keeps_lines: bool| {
            screens.iter().all(|screen| screen.is_free(&rect(screen, side), keeps_lines))
        };
        let (wide, phones) = self.screens.split_at(WIDE);
        let find = |keeps_lines| sides().find(|side| free(wide, *side, keeps_lines));
        let side = find(true).or_else(|| find(false))?;
        let is_wide = !free(phones, side, false);
        for screen in self.screens.iter_mut().take(if is_wide { WIDE } else { usize::MAX }) {
            let taken = rect(screen, side);
            screen.taken.push(taken);
        }
        let side = match side {
            Some(Side::Left) => " r",
            Some(Side::Below) => " d",
            Some(Side::Above) => " u",
            Some(Side::Right) | None => "",
        };
        Some(Spot { side, is_wide })
    }
}

impl Screen {
    /// A map of this width, with tracks in per cent of it.
    fn new(width: f64, ratio: f64, ways: &[Vec<(f64, f64)>]) -> Self {
        let height = (width * ratio).min(4000.0);
        let columns = crate::axis::cell(width / CELL / 1000.0, 1000) + 1;
        let rows = crate::axis::cell(height / CELL / 1000.0, 1000) + 1;
        let lines = vec![false; columns * rows];
        let mut screen = Self { width, height, taken: Vec::new(), lines, columns };
        for (from, to) in ways.iter().flat_map(|way| way.iter().zip(way.iter().skip(1))) {
            let ((a, b), (x, y)) = (screen.pixel(*from), screen.pixel(*to));
            let steps = ((x - a).hypot(y - b) / CELL * 2.0).ceil().clamp(1.0, 2000.0);
            let mut k = 0.0;
            while k <= steps {
                let at = (a + (x - a) * k / steps, b + (y - b) * k / steps);
                if let Some(cell) = screen.cell(at).and_then(|cell| screen.lines.get_mut(cell)) {
                    *cell = true;
                }
                k += 1.0;
            }
        }
        screen
    }

    fn pixel(&self, (left, top): (f64, f64)) -> (f64, f64) {
        (left / 100.0 * self.width, top / 100.0 * self.height)
    }

    fn cell(&self, (x, y): (f64, f64)) -> Option<usize> {
        let is_inside = (0.0..self.width).contains(&x) && (0.0..self.height).contains(&y);
        let number = |v: f64| crate::axis::cell(v / CELL / 1000.0, 1000);
        is_inside.then(|| number(y) * self.columns + number(x))
    }

    /// Whether the space for a name is free.
    fn is_free(&self, rect: &Rect, keeps_lines: bool) -> bool {
        let [left, top, right, bottom] = *rect;
        let is_inside = left >= 0.0 && top >= 0.0 && right <= self.width && bottom <= self.height;
        let is_over = |[a, b, c, d]: &Rect| left < *c && right > *a && top < *d && bottom > *b;
        is_inside && !self.taken.iter().any(is_over) && !(keeps_lines && self.has_line(rect))
    }

    fn has_line(&self, [left, top, right, bottom]: &Rect) -> bool {
        let mut y = *top;
        while y < bottom + CELL {
            let mut x = *left;
            while x < right + CELL {
                let cell = self.cell((x.min(*right), y.min(*bottom)));
                if cell.is_some_and(|cell| self.lines.get(cell) == Some(&true)) {
                    return true;
                }
                x += CELL;
            }
            y += CELL;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ways: &[Vec<(f64, f64)>]) -> Labels {
        Labels { screens: [912.0, 560.0, 720.0, 296.0].map(|width| Screen::new(width, 0.7, ways)) }
    }

    #[test]
    fn names_hide_neither_each_other_nor_marks() {
        let mut labels = labels(&[]);
        let places: Vec<(f64, f64)> =
            (0..80).map(|n: i32| (f64::from(n * n * 37 % 101), f64::from(n * 53 % 97))).collect();
        for at in &places {
            labels.mark(*at, 4.0);
        }
        let spots: Vec<_> = places.iter().map(|at| labels.place(*at, "Sennaya", Type::PLACE)).collect();
        let shown = spots.iter().flatten().count();
        assert!((20..80).contains(&shown), "those that fit: {shown}");
        assert!(spots.iter().flatten().any(|spot| spot.is_wide), "fewer on a phone");
        for screen in &labels.screens {
            let names = &screen.taken[80..];
            for (n, a) in names.iter().enumerate() {
                let others = screen.taken[..80].iter().chain(names.iter().skip(n + 1));
                let is_over = |b: &&Rect| a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
                assert_eq!(others.filter(is_over).count(), 0, "{a:?}");
            }
        }
    }

    #[test]
    fn a_name_stands_beside_the_line_if_it_can() {
        // A line to the right of the mark and above it: below and left are free.
        let mut labels = labels(&[vec![(50.0, 50.0), (100.0, 50.0)]]);
        let spot = labels.place((50.0, 50.0), "Hut", Type::PLACE).unwrap();
        assert_eq!((spot.side, spot.is_wide), (" r", false));
        // At the edge only one side is free.
        assert_eq!(labels.place((99.9, 20.0), "Hut", Type::END).unwrap().side, " r");
        assert!(
            labels.place((0.0, 0.0), "a name that no side of the corner has room for", Type::END).is_none()
        );
    }
}
