//! A rising line of straight parts, which bends log-odds to what was seen.

use serde::{Deserialize, Serialize};

/// A corner of a line: where it is, and the value there.
pub type Corner = [f32; 2];

/// A rising line of straight parts. Left of the first corner and right of the last one, it rises as
/// fast as its argument. Without corners, it is its argument.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BrokenLine(Vec<Corner>);

impl BrokenLine {
    /// Creates a line with these corners, or none if a number is not finite, or one corner is not above
    /// the one before in both numbers.
    pub fn new(corners: Vec<Corner>) -> Option<Self> {
        Self(corners).checked()
    }

    /// Returns the line if its corners are as [`BrokenLine::new`] asks.
    pub(crate) fn checked(self) -> Option<Self> {
        let is_finite = self.0.iter().flatten().all(|number| number.is_finite());
        let rises = |pair: &[Corner]| pair[0][0] < pair[1][0] && pair[0][1] < pair[1][1];
        (is_finite && self.0.windows(2).all(rises)).then_some(self)
    }

    /// Returns the value at `x`.
    pub fn at(&self, x: f32) -> f32 {
        let n_passed = self.0.partition_point(|corner| corner[0] <= x);
        let (passed, ahead) = self.0.split_at(n_passed);
        match (passed.last(), ahead.first()) {
            (Some([x0, y0]), Some([x1, y1])) => y0 + (x - x0) * (y1 - y0) / (x1 - x0),
            (Some([x0, y0]), None) | (None, Some([x0, y0])) => y0 + x - x0,
            (None, None) => x,
        }
    }

    /// Returns true if the line is its argument.
    pub(crate) fn is_straight(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the line with `by` applied to arguments and values. `by` must be a rising straight line.
    pub(crate) fn moved(&self, by: impl Fn(f32) -> f32) -> Self {
        Self(self.0.iter().map(|corner| corner.map(&by)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &BrokenLine, x: f32, expected: f32) {
        let found = line.at(x);
        assert!((found - expected).abs() < 1e-6, "{x}: {found} {expected}");
    }

    #[test]
    fn values_are_between_the_corners() {
        let line = BrokenLine::new(vec![[0.0, 1.0], [2.0, 2.0], [3.0, 5.0]]).unwrap();
        let cases = [
            (-1.0, 0.0),
            (0.0, 1.0),
            (1.0, 1.5),
            (2.0, 2.0),
            (2.5, 3.5),
            (4.0, 6.0),
        ];
        for (x, expected) in cases {
            check(&line, x, expected);
        }
        check(&BrokenLine::default(), 0.3, 0.3);
        let moved = line.moved(|x| 2.0 * x + 1.0);
        for x in [-1.0, 0.5, 2.5, 9.0] {
            check(&moved, 2.0 * x + 1.0, 2.0 * line.at(x) + 1.0);
        }
    }

    #[test]
    fn a_line_rises() {
        let bad = [
            vec![[0.0, 0.0], [0.0, 1.0]],
            vec![[0.0, 0.0], [1.0, 0.0]],
            vec![[0.0, f32::NAN]],
        ];
        for corners in bad {
            assert_eq!(BrokenLine::new(corners.clone()), None, "{corners:?}");
        }
    }
}
