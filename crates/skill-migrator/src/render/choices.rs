//! The choices of a parameter that data of the program decides.

use serde_json::Value;

use super::Language;
use crate::markdown::code;

/// Returns the values of a parameter with their place: `` 可选值：`a`, `b`（`scripts/pots/`） ``.
pub(super) fn of_data(property: &Value, language: Language) -> Option<String> {
    let all = property["x-values"].as_object()?;
    let values = all["values"].as_array()?;
    let n = all["n"].as_u64()?;
    let place = all["place"].as_str().map(code);
    let shown: Vec<String> = values.iter().filter_map(Value::as_str).map(code).collect();
    let shown = shown.join(", ");
    let is_all = n == values.len() as u64;
    Some(match (language, place, is_all) {
        (Language::English, None, true) => format!("One of {shown}"),
        (Language::Chinese, None, true) => format!("可选值：{shown}"),
        (Language::English, Some(place), true) => format!("One of {shown} (from {place})"),
        (Language::Chinese, Some(place), true) => format!("可选值：{shown}（来自 {place}）"),
        (Language::English, Some(place), false) => {
            format!("{n} values, such as {shown}: all in {place}")
        }
        (Language::Chinese, Some(place), false) => {
            format!("共 {n} 个值，如 {shown}，全部见 {place}")
        }
        (Language::English, None, false) => format!("{n} values, such as {shown}"),
        (Language::Chinese, None, false) => format!("共 {n} 个值，如 {shown}"),
    })
}
