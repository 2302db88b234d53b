//! The source of the answers that a program gets.

use std::sync::Arc;

use crate::cassette::Take;
use crate::mask::Mask;
use crate::reads::Reads;
use crate::replay::Player;
use crate::shapes::Variant;
use crate::upstream::Upstream;

/// The source of the answers that a program gets.
#[derive(Clone, Debug)]
pub enum Source {
    /// Made-up answers. The number, below [`Internet::VARIANTS`], is the shape of those of unknown services.
    ///
    /// [`Internet::VARIANTS`]: crate::Internet::VARIANTS
    Emulated(u8),
    /// Made-up answers with the keys that the code of the program reads.
    Read(Arc<Reads>),
    /// The answers of a recording. The mask takes secrets out of the requests before they are compared.
    Replayed(Vec<Take>, Arc<Mask>),
    /// Real services. The record is kept without secrets.
    Real(Arc<Upstream>, Arc<Mask>),
}

/// A source while a program uses it.
#[derive(Debug)]
pub(crate) enum Active {
    Emulated(Variant),
    Replayed(Player, Arc<Mask>),
    Real(Arc<Upstream>, Arc<Mask>),
}

impl From<Source> for Active {
    fn from(source: Source) -> Self {
        match source {
            Source::Emulated(variant) => Self::Emulated(Variant::Usual(variant % Variant::COUNT)),
            Source::Read(reads) => Self::Emulated(Variant::Read(reads)),
            Source::Replayed(takes, mask) => Self::Replayed(Player::new(takes), mask),
            Source::Real(upstream, mask) => Self::Real(upstream, mask),
        }
    }
}

impl Active {
    /// Returns the mask of what is recorded; `None` where all is made up.
    pub(crate) fn mask(&self) -> Option<&Mask> {
        match self {
            Self::Emulated(_) => None,
            Self::Replayed(_, mask) | Self::Real(_, mask) => Some(mask),
        }
    }
}
