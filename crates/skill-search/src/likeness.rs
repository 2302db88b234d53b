//! Likeness in meaning: vectors of words, and a map that says which of their directions matter.
//!
//! The vector of a text is the sum of the vectors of its words. A text that shares no word with another can
//! still be like it: "umbrella" is near "weather". `data/word-vectors.bin` has the vectors, which are the
//! same for every model; `data/likeness.txt` has the map, which `cargo xtask fit` fits to labelled requests.

mod map;
mod words;

pub use map::Likeness;
pub(crate) use words::WordVectors;

/// The number of directions.
pub const N_DIRECTIONS: usize = 64;

/// A point in the space of meanings.
pub type Vector = [f32; N_DIRECTIONS];

/// Returns the vector with length 1, or zeros if it has no length.
pub(crate) fn unit(vector: &Vector) -> Vector {
    let norm = dot(vector, vector).sqrt();
    if norm > 1e-6 {
        vector.map(|x| x / norm)
    } else {
        [0.0; N_DIRECTIONS]
    }
}

/// Returns the sum of the products.
pub(crate) fn dot(a: &Vector, b: &Vector) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(words: &str) -> Vector {
        let mut sum = [0.0; N_DIRECTIONS];
        for term in crate::terms(words) {
            WordVectors::shipped().add(term.as_bytes(), 1.0, &mut sum);
        }
        unit(&sum)
    }

    #[test]
    fn words_are_near_others_with_a_similar_meaning() {
        let check = |request: &str, near: &str, far: &str| {
            let likeness = Likeness::shipped();
            let turned = |words: &str| likeness.turned(&vector(words));
            let to = |words: &str| dot(&turned(request), &turned(words));
            let (to_near, to_far) = (to(near), to(far));
            assert!(
                to_near > to_far,
                "{request}: {near} {to_near}, {far} {to_far}"
            );
        };
        check("umbrella", "weather", "database");
        check("rain tomorrow", "weather forecast", "merge files");
        check("invoice", "payment", "photograph");
        check("shrink pictures", "compress images", "send mail");
        check("密码", "password", "music");
        check("翻译", "translate", "deploy");
    }

    #[test]
    fn unknown_words_have_no_direction() {
        let unknown = vector("qzxv wvutk");
        let turned = Likeness::shipped().turned(&unknown);
        assert!(dot(&unknown, &unknown) < f32::EPSILON);
        assert!(dot(&turned, &turned) < f32::EPSILON);
    }
}
