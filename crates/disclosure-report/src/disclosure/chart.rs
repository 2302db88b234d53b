//! The costs as a picture.

use std::fmt::Write as _;

use skill_disclosure::{Costs, N_BRIEFED, N_READ};

const WIDTH: usize = 760;
const HEIGHT: usize = 350;
/// The left end of the bars.
const LEFT: usize = 190;
/// The length of the longest bar.
const LONGEST: usize = 450;
const BAR: usize = 16;

/// Draws the sizes of the phases, and a session next to eager loading, as SVG. All bars of one group
/// have the same scale.
pub fn draw(costs: &Costs) -> String {
    let mut res = String::new();
    let _ = writeln!(
        res,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"
    );
    title(
        &mut res,
        30,
        &format!("Tokens of one skill, by phase ({} skills)", costs.n_skills),
    );
    let most = costs.phases.iter().map(|cost| cost.max).max().unwrap_or(0);
    let mut y = 46;
    for cost in &costs.phases {
        for (label, n, colour) in [
            ("median", cost.median, "#2b6cb0"),
            ("p90", cost.p90, "#63a4d8"),
            ("max", cost.max, "#b9d6ee"),
        ] {
            bar(
                &mut res,
                y,
                &format!("{} {label}", cost.phase.word()),
                (n, most),
                colour,
            );
            y += BAR + 4;
        }
        y += 8;
    }
    y += 26;
    title(&mut res, y, &saving(costs));
    let (session, eager) = (costs.session(), costs.eager());
    let label = format!("all, {N_BRIEFED} briefly, {N_READ} in full");
    bar(
        &mut res,
        y + 16,
        &label,
        (session, eager.max(session)),
        "#2f855a",
    );
    bar(
        &mut res,
        y + 20 + BAR,
        "all in full",
        (eager, eager.max(session)),
        "#c05621",
    );
    res.push_str("</svg>\n");
    res
}

fn saving(costs: &Costs) -> String {
    if costs.session() < costs.eager() {
        format!("Tokens of a session: {:.1} % saved", costs.saving())
    } else {
        "Tokens of a session".to_owned()
    }
}

fn title(res: &mut String, y: usize, text: &str) {
    let _ = writeln!(
        res,
        "<text x=\"20\" y=\"{y}\" font-size=\"15\" font-weight=\"bold\">{text}</text>"
    );
}

/// Adds a bar for `n` of `most`, with its label before it and its number after it.
fn bar(res: &mut String, y: usize, label: &str, (n, most): (usize, usize), colour: &str) {
    let width = (n * LONGEST).checked_div(most).unwrap_or(0).max(1);
    let (text_y, text_x) = (y + 13, LEFT + width + 6);
    let _ = writeln!(
        res,
        "<text x=\"{}\" y=\"{text_y}\" text-anchor=\"end\">{label}</text>\n<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width}\" height=\"{BAR}\" fill=\"{colour}\"/>\n<text x=\"{text_x}\" y=\"{text_y}\">{}</text>",
        LEFT - 8,
        grouped(n)
    );
}

/// Formats a number as `12,345`.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut res = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            res.push(',');
        }
        res.push(digit);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_without_skills_is_drawn() {
        let costs = Costs {
            n_skills: 0,
            phases: Vec::new(),
        };
        let drawn = draw(&costs);
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert!(!drawn.contains("saved"), "{drawn}");
    }

    #[test]
    fn numbers_are_grouped() {
        for (n, expected) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(n), expected);
        }
    }
}
