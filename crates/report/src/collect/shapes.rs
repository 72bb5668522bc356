//! Drawings of a mission: polygons and planned legs, in the syntax of MOOS-IvP's viewer.

use std::collections::BTreeMap;

/// Shapes by kind and label; redrawing a shape replaces it.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    shapes: BTreeMap<(bool, String), Vec<(f64, f64)>>,
}

/// Maximum number of shapes, and of corners of one.
const SHAPES: usize = 200;
const CORNERS: usize = 400;

impl Shapes {
    /// Adds the shape that a variable draws, if any.
    pub(crate) fn add(&mut self, channel: &str, text: &str) {
        let is_polygon = match channel {
            "VIEW_POLYGON" => true,
            "VIEW_SEGLIST" => false,
            _ => return,
        };
        let Some((_, rest)) = text.split_once("pts={") else { return };
        let Some((points, _)) = rest.split_once('}') else { return };
        let label = text.split(',').find_map(|part| part.trim().strip_prefix("label=")).unwrap_or(points);
        let key = (is_polygon, label.chars().take(80).collect::<String>());
        // Erased shapes were drawn before, so keep them.
        if text.contains("active=false") {
            return;
        }
        let corner = |point: &str| {
            let mut numbers = point.split(',').map(|number| number.trim().parse::<f64>());
            let (x, y) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            (x.is_finite() && y.is_finite()).then_some((x, y))
        };
        let corners: Vec<_> = points.split(':').filter_map(corner).take(CORNERS).collect();
        if corners.len() > 1 && (self.shapes.len() < SHAPES || self.shapes.contains_key(&key)) {
            self.shapes.insert(key, corners);
        }
    }

    /// For each shape, whether it is closed, and its corners in metres.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (bool, &[(f64, f64)])> {
        self.shapes.iter().map(|((is_polygon, _), corners)| (*is_polygon, &corners[..]))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_that_is_drawn_again_replaces_itself() {
        let mut shapes = Shapes::default();
        shapes.add("VIEW_POLYGON", "pts={0,0:1,0:1,1},label=a,edge_color=white");
        shapes.add("VIEW_POLYGON", "pts={5,5:6,5:x,1:6,6},label=a");
        shapes.add("VIEW_SEGLIST", "pts={0,0:9,9},label=a");
        shapes.add("VIEW_POLYGON", "pts={");
        shapes.add("NAV_X", "pts={0,0:1,0}");
        let all: Vec<_> = shapes.iter().collect();
        assert_eq!(all.len(), 2);
        assert_eq!(all[1], (true, &[(5.0, 5.0), (6.0, 5.0), (6.0, 6.0)][..]));
        shapes.add("VIEW_POLYGON", "pts={5,5:6,5},label=a,active=false");
        assert_eq!(shapes.iter().count(), 2);
    }
}
