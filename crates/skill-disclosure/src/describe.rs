//! Describes one skill in one phase.

use skill_tokens::TokenCounter;

use crate::description::{Budgets, Description};
use crate::{Facts, FullError, FullSource, Phase, brief, full, metadata};

/// Describes a skill. Only [`Phase::Full`] requests the body from `source`. A brief description
/// lists the sections only if the facts [have them](Facts::with_body).
///
/// # Errors
///
/// Returns a [`FullError`] if the body is needed and not available.
///
/// # Examples
///
/// ```
/// use skill_tokens::Estimator;
/// use skill_disclosure::{Budgets, Facts, FullError, FullSource, Phase, describe};
///
/// struct NoBodies;
///
/// impl FullSource for NoBodies {
///     fn body(&self, skill: &str) -> Result<String, FullError> {
///         Err(FullError::NotFound(skill.to_owned()))
///     }
/// }
///
/// let facts = Facts::from_parts("tea", "Makes tea. Use when somebody is thirsty.", None);
/// let (budgets, counter) = (Budgets::default(), Estimator::default());
/// let metadata = describe(&facts, Phase::Metadata, &budgets, &NoBodies, &counter)?;
/// assert_eq!(metadata.text, "**tea**: Makes tea.\n");
/// # Ok::<(), FullError>(())
/// ```
pub fn describe(
    facts: &Facts,
    phase: Phase,
    budgets: &Budgets,
    source: &dyn FullSource,
    counter: &dyn TokenCounter,
) -> Result<Description, FullError> {
    let (text, left_out) = match phase {
        Phase::Metadata => metadata::write(facts, budgets.metadata, counter),
        Phase::Brief => brief::write(facts, budgets, counter),
        Phase::Full => full::write(facts, &source.body(&facts.name)?, budgets, counter),
    };
    Ok(Description {
        skill: facts.name.clone(),
        phase,
        tokens: counter.count(&text),
        text,
        counter: counter.name(),
        left_out,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{CUT_MARK, CommandFacts, Parameter, sentences};
    use skill_tokens::Estimator;

    const BODY: &str =
        "# Title\n\n## Steps\n\n1. Do it.\n\n## Notes\n\n```sh\nrun\n\nmore\n```\n\nEnd.\n";

    struct Body;

    impl FullSource for Body {
        fn body(&self, skill: &str) -> Result<String, FullError> {
            match skill {
                "remote" => Err(FullError::Node {
                    skill: skill.to_owned(),
                    reason: "no answer in 5 s".to_owned(),
                }),
                _ => Ok(BODY.to_owned()),
            }
        }
    }

    fn commands(n: usize) -> Vec<CommandFacts> {
        let command = |at| CommandFacts {
            id: format!("command_{at}"),
            description: format!("Does number {at}. And more."),
            parameters: vec![
                Parameter {
                    name: "first".to_owned(),
                    is_required: true,
                },
                Parameter {
                    name: "second".to_owned(),
                    is_required: false,
                },
            ],
            example: None,
        };
        (0..n).map(command).collect()
    }

    fn facts(description: &str, n_commands: usize) -> Facts {
        Facts {
            commands: commands(n_commands),
            ..Facts::from_parts("skill", description, None).with_body(BODY)
        }
    }

    fn describe_in(facts: &Facts, phase: Phase) -> Description {
        let budgets = Budgets::default();
        describe(facts, phase, &budgets, &Body, &Estimator::default()).unwrap()
    }

    #[track_caller]
    fn check(n_commands: usize, phase: Phase, expected: &str) {
        let facts = facts("Makes cards. Use when a card is wanted.", n_commands);
        assert_eq!(describe_in(&facts, phase).text, expected);
    }

    #[test]
    fn each_phase_says_more() {
        check(1, Phase::Metadata, "**skill**: Makes cards.\n");
        check(
            1,
            Phase::Brief,
            "**skill**: Makes cards.\nUse when a card is wanted.\nCommands:\n- command_0(first, second?): Does number 0. […]\nSections: Steps · Notes\n",
        );
        check(
            1,
            Phase::Full,
            "**skill**: Makes cards. Use when a card is wanted.\n- command_0(first, second?): Does number 0. And more.\n\n# Title\n\n## Steps\n\n1. Do it.\n\n## Notes\n\n```sh\nrun\n\nmore\n```\n\nEnd.\n",
        );
    }

    #[test]
    fn commands_that_do_not_fit_are_counted() {
        let brief = describe_in(&facts("Makes cards.", 142), Phase::Brief);
        let n_named = brief.text.matches("command_").count();
        assert_eq!(n_named + brief.left_out.commands, 142, "{}", brief.text);
        let mark = format!("and {} more commands", brief.left_out.commands);
        assert!(
            brief.text.contains(&mark) && brief.left_out.commands > 0,
            "{}",
            brief.text
        );
    }

    #[test]
    fn a_body_is_cut_between_paragraphs_and_never_in_code() {
        let facts = facts("Makes cards.", 0);
        let full = |budget| {
            let full = Some(budget);
            let budgets = Budgets {
                full,
                ..Budgets::default()
            };
            describe(&facts, Phase::Full, &budgets, &Body, &Estimator::default()).unwrap()
        };
        let cut = full(30);
        assert!(
            cut.text
                .ends_with("Do it.\n\n[cut: 35 characters; read the sections]\n"),
            "{}",
            cut.text
        );
        assert_eq!(cut.left_out.chars, 35);
        for budget in 0..50 {
            let text = full(budget).text;
            assert!(text.matches("```").count().is_multiple_of(2), "{text}");
        }
    }

    #[test]
    fn a_remote_skill_needs_its_node_only_in_full() {
        let facts = Facts::from_parts("remote", "Does it there.", None);
        assert_eq!(
            describe_in(&facts, Phase::Metadata).text,
            "**remote**: Does it there.\n"
        );
        assert_eq!(
            describe_in(&facts, Phase::Brief).text,
            "**remote**: Does it there.\n"
        );
        let full = describe(
            &facts,
            Phase::Full,
            &Budgets::default(),
            &Body,
            &Estimator::default(),
        );
        assert_eq!(
            full.unwrap_err().to_string(),
            "the node of `remote` did not provide its body: no answer in 5 s"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn budgets_hold_and_nothing_gets_lost_on_the_way(
            description in "([A-Za-z]{1,8} |[a-z]{2,9}\\. |Use when |当需要|做好这件事。|卡片，){1,120}",
            n_commands in 0_usize..60,
        ) {
            let facts = facts(&description, n_commands);
            let [metadata, brief, full] = Phase::ALL.map(|phase| describe_in(&facts, phase));
            prop_assert!(metadata.tokens <= 50, "{}", metadata.text);
            prop_assert!(brief.tokens <= 200, "{}", brief.text);
            let n_named = (0..n_commands).filter(|at| brief.text.contains(&format!("command_{at}"))).count();
            prop_assert!(n_named + brief.left_out.commands >= n_commands, "{}", brief.text);
            for (less, more) in [(&metadata, &brief), (&brief, &full)] {
                for sentence in sentences(&facts.description) {
                    let is_kept = !less.text.contains(sentence) || more.text.contains(sentence);
                    prop_assert!(is_kept, "{} in {}", sentence, more.text);
                }
            }
            let has_mark = |one: &Description| one.text.contains(CUT_MARK.trim()) || one.text.contains(" more");
            prop_assert_eq!(has_mark(&metadata), metadata.left_out.is_cut(), "{}", metadata.text);
        }
    }
}
