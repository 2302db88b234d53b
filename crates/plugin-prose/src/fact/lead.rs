//! Classifies the text before a row of values: a word that opens the list, a word that closes it,
//! or neither.

use crate::lex::tokens::Token;

/// Words that introduce samples, or something other than values.
const OPEN_CUES: &str = "例如|比如|如|诸如|譬如|推荐|常用|建议|常见|语法|不能|不可|不支持|禁止|兼容|别名|可传|\
    可写|参考|字段|参数|e.g|such as|example|examples|like|recommended|alias|aliases|\
    including|类似|请用|省略|替代|语法同|传入|使用|配合";

/// Words that introduce a closed list.
const CLOSED_CUES: &str = "可选值|可选|取值|只能填|只能是|只能为|只能|只允许|必须是|必须为|值|枚举|设为|为|支持|选项|\
    类型|模式|one of|either|values|allowed|options|enum|choices|can be|may be|must be|valid";

/// The kinds of text before a list in its sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lead {
    /// A word that opens the list.
    Open,
    /// No text.
    First,
    /// A word that closes the list.
    Introduced,
    /// Another sentence, without a word about the list.
    Later,
    /// A bare ASCII word.
    AfterWord,
    /// Other words.
    Plain,
}

impl Lead {
    /// Classifies the text before a token.
    pub(crate) fn new(tokens: &[Token<'_>], start: usize) -> Self {
        let head = &tokens[..start];
        let clause = head.iter().rposition(ends_clause).map_or(0, |at| at + 1);
        let text: String = head[clause..].iter().map(show).collect();
        let text = text
            .trim()
            .trim_end_matches([':', '：', ' ', '是', '为'])
            .to_lowercase();
        let last = head
            .iter()
            .rev()
            .find(|token| !matches!(token, Token::Blank));
        if is_open(&text) || previous_clause_is_open(head, clause) {
            Self::Open
        } else if text.is_empty() {
            Self::First
        } else if matches!(last, Some(Token::Sign(':' | '：')))
            || CLOSED_CUES.split('|').any(|cue| near_end(&text, cue))
        {
            Self::Introduced
        } else if head
            .iter()
            .any(|token| matches!(token, Token::Sign('。' | '.')))
        {
            Self::Later
        } else if matches!(last, Some(Token::Word(_))) {
            Self::AfterWord
        } else {
            Self::Plain
        }
    }
}

fn ends_clause(token: &Token<'_>) -> bool {
    matches!(
        token,
        Token::Sign('。' | '.' | '；' | ';' | '\n' | '，' | ',')
    )
}

fn is_open(text: &str) -> bool {
    text.contains("默认") || OPEN_CUES.split('|').any(|cue| near_end(text, cue))
}

fn show(token: &Token<'_>) -> String {
    match token {
        Token::Quoted(text) | Token::Word(text) | Token::Text(text) => (*text).to_owned(),
        Token::Group(_) => "()".to_owned(),
        Token::Sign(sign) => sign.to_string(),
        Token::Blank => " ".to_owned(),
    }
}

/// Returns true if a cue is at the end of a text or a few characters before it.
fn near_end(text: &str, cue: &str) -> bool {
    let Some(at) = text.rfind(cue) else {
        return false;
    };
    let after = text[at + cue.len()..].trim_matches([' ', ':', '：']);
    let sure = cue != "如" || !after.starts_with('果');
    let whole = !cue.is_ascii() || !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
    sure && whole && after.chars().count() <= if cue.chars().count() > 1 { 6 } else { 0 }
}

/// Returns true if the previous clause opens the list: `例如,` may be before the comma that ends its
/// clause.
fn previous_clause_is_open(head: &[Token<'_>], sentence: usize) -> bool {
    let Some(before) = sentence.checked_sub(2) else {
        return false;
    };
    matches!(
        head[before],
        Token::Text("例如" | "如" | "比如") | Token::Word("e.g")
    )
}
