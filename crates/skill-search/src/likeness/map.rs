//! The map of meanings: which directions of the word vectors matter for the choice of a skill.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::{N_DIRECTIONS, Vector, unit};

/// The map that `cargo xtask fit` writes: a line for each direction of a word, with thousandths.
const TABLE: &str = include_str!("../../data/likeness.txt");
/// The value of 1 in the table.
const ONE: f32 = 1000.0;

/// A linear map of word vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct Likeness {
    rows: Vec<Vector>,
}

impl Likeness {
    /// Returns the map that is compiled in.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Likeness> = LazyLock::new(|| Likeness::parse(TABLE));
        &SHIPPED
    }

    /// Returns a map with these rows, one for each direction of a word.
    pub fn new(rows: Vec<Vector>) -> Self {
        Self { rows }
    }

    /// Returns the map that changes nothing.
    pub fn identity() -> Self {
        let row = |at: usize| std::array::from_fn(|column| f32::from(u8::from(at == column)));
        Self::new((0..N_DIRECTIONS).map(row).collect())
    }

    /// Returns the rows.
    pub fn rows(&self) -> &[Vector] {
        &self.rows
    }

    fn parse(table: &str) -> Self {
        let row = |line: &str| {
            let mut numbers = line.split_whitespace().map(|number| {
                let number: f32 = number.parse().expect("the shipped map is tested");
                number / ONE
            });
            std::array::from_fn(|_| numbers.next().expect("the shipped map is tested"))
        };
        Self::new(table.lines().map(row).collect())
    }

    /// Returns the text of the table.
    pub fn to_text(&self) -> String {
        let mut res = String::new();
        for row in &self.rows {
            for (at, value) in row.iter().enumerate() {
                let blank = if at > 0 { " " } else { "" };
                let value = (value * ONE).round();
                write!(res, "{blank}{value}").expect("a string takes everything");
            }
            res.push('\n');
        }
        res
    }

    /// Returns a vector with length 1 after the map, or zeros for zeros.
    pub fn turned(&self, vector: &Vector) -> Vector {
        let mut res = [0.0; N_DIRECTIONS];
        for (x, row) in vector.iter().zip(&self.rows) {
            for (acc, weight) in res.iter_mut().zip(row) {
                *acc += x * weight;
            }
        }
        unit(&res)
    }

    /// Returns the likeness, from -1 to 1, of a vector that was turned by [`Likeness::turned`] and another
    /// one that was not.
    pub fn compare(&self, turned: &Vector, other: &Vector) -> f32 {
        super::dot(turned, &self.turned(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_map_is_whole() {
        let shipped = Likeness::shipped();
        assert_eq!(shipped.rows.len(), N_DIRECTIONS);
        assert_eq!(shipped.to_text(), TABLE);
    }
}
