//! The settings of the text format.

use skill_pipeline::Mode;

use skill_report::Paint;

/// Settings of the text format.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The mode of the migration.
    pub mode: Mode,
    /// −1 for quiet, 0 for normal, 1 and 2 for more.
    pub verbosity: i8,
    /// The colours.
    pub paint: Paint,
    /// The width of the terminal in columns; `None` if the output is not a terminal.
    pub width: Option<usize>,
}
