//! Translates words of the grammar from other scripts, traditional Chinese and Japanese, and the marks
//! of calls that a text only shows (`「始exp」`).
//!
//! Only the words that productions and facts look for are translated, so that each is listed there
//! once; everything else stays as written.

use std::borrow::Cow;

/// The words and their equivalents in the grammar; longer words come before those they contain.
const WORDS: [(&str, &str); 41] = [
    ("「始exp」", "「始」"),
    ("「末exp」", "「末」"),
    ("TOOL_REQUEST_EXP]", "TOOL_REQUEST]"),
    ("パラメーター", "参数"),
    ("パラメータ", "参数"),
    ("引数", "参数"),
    ("參數", "参数"),
    ("欄位", "字段"),
    ("選填", "选填"),
    ("必選", "必选"),
    ("必須", "必须"),
    ("可選", "可选"),
    ("非必須", "非必须"),
    ("選項", "选项"),
    ("列舉", "枚举"),
    ("枚舉", "枚举"),
    ("預設值為", "默认值为"),
    ("預設為", "默认为"),
    ("預設", "默认"),
    ("默認值為", "默认值为"),
    ("默認為", "默认为"),
    ("默認", "默认"),
    ("整數", "整数"),
    ("數字", "数字"),
    ("數值", "数值"),
    ("浮點數", "浮点数"),
    ("布爾", "布尔"),
    ("陣列", "数组"),
    ("數組", "数组"),
    ("物件", "对象"),
    ("對象", "对象"),
    ("值為", "值为"),
    ("固定為", "固定为"),
    ("回傳", "返回"),
    ("戻り値", "返回值"),
    ("留空則為", "留空则为"),
    ("留空則使用", "留空则使用"),
    ("不填則為", "不填则为"),
    ("時必填", "时必填"),
    ("擇一", "选一"),
    ("命令為", "命令为"),
];

/// Returns the text with the words of the grammar in its own script.
pub(crate) fn fold(text: Cow<'_, str>) -> Cow<'_, str> {
    WORDS.iter().fold(text, |text, (word, known)| {
        if text.contains(word) {
            Cow::Owned(text.replace(word, known))
        } else {
            text
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(fold(Cow::Borrowed(text)), expected);
    }

    #[test]
    fn words_of_the_grammar() {
        check(
            "參數：n（整數，選填，預設為 3）",
            "参数：n（整数，选填，默认为 3）",
        );
        check("歌曲名稱", "歌曲名稱");
        check(
            "<<<[TOOL_REQUEST_EXP]>>>a:「始exp」1「末exp」",
            "<<<[TOOL_REQUEST]>>>a:「始」1「末」",
        );
    }
}
