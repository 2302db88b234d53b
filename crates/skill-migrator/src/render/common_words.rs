//! Words for arguments of common names that no text describes.

use super::Language;
use crate::code::spelling;

/// Names in lower case without the signs between their words, with English and Chinese words for them.
const WORDS: [(&str, &str, &str); 48] = [
    (
        "isregex",
        "Take the query as a regular expression",
        "把查询当作正则表达式",
    ),
    (
        "useregex",
        "Take the query as a regular expression",
        "把查询当作正则表达式",
    ),
    ("casesensitive", "Tell upper from lower case", "区分大小写"),
    ("wholeword", "Match whole words only", "只匹配整词"),
    (
        "previewlength",
        "Length of previews, in characters",
        "预览的字数",
    ),
    ("encoding", "Encoding of the text", "文本编码"),
    ("apply", "Do it for real", "实际执行"),
    ("dryrun", "Only a dry run", "只试运行"),
    ("imagepath", "Path of the image", "图片路径"),
    ("directory", "Path of the directory", "目录路径"),
    ("prompt", "Prompt", "提示词"),
    ("overwrite", "Overwrite what is there", "覆盖已有内容"),
    ("recursive", "Include subdirectories", "包括子目录"),
    ("imagebase64", "An image as base64", "图片的 base64 数据"),
    (
        "showbase64",
        "Give the image as base64 as well",
        "结果中附上图片的 base64 数据",
    ),
    ("imageurl", "Address of an image", "图片地址"),
    ("videourls", "Addresses of videos", "视频地址列表"),
    ("mimetype", "Media type of the data", "数据的 MIME 类型"),
    ("useragent", "User agent of requests", "请求的 User-Agent"),
    ("page", "Number of the page", "页码"),
    ("pagesize", "Results per page", "每页条数"),
    ("perpage", "Results per page", "每页条数"),
    ("limit", "Maximum number of results", "最多返回条数"),
    ("maxresults", "Maximum number of results", "最多返回条数"),
    ("maxrecords", "Maximum number of records", "最多记录数"),
    ("batchsize", "Number made at once", "一次生成的数量"),
    ("denoise", "Strength of denoising", "去噪强度"),
    ("steps", "Number of steps", "步数"),
    ("randomseed", "Take a random seed", "使用随机种子"),
    ("symbol", "Symbol of a security", "证券代码"),
    ("symbols", "Symbols of securities", "证券代码列表"),
    ("stoploss", "Price at which to stop a loss", "止损价"),
    ("sellprice", "Price of the sale", "卖出价"),
    ("commission", "Commission of the trade", "手续费"),
    ("maid", "Name of the caller", "调用者的名字"),
    ("sessionid", "Identifier of the session", "会话 ID"),
    ("taskid", "Identifier of the task", "任务 ID"),
    ("jobid", "Identifier of the job", "任务 ID"),
    ("requestid", "Identifier of the request", "请求 ID"),
    ("title", "Title", "标题"),
    ("model", "Name of the model", "模型名称"),
    ("filepath", "Path of the file", "文件路径"),
    ("folder", "Name of the folder", "文件夹名称"),
    ("durationms", "Duration in milliseconds", "时长（毫秒）"),
    ("fadeoutms", "Fade-out in milliseconds", "淡出时长（毫秒）"),
    ("days", "Number of days", "天数"),
    ("startdate", "First day", "开始日期"),
    ("enddate", "Last day", "结束日期"),
];

/// Returns true for a common name, of which words are known.
pub(crate) fn has_common_words(name: &str) -> bool {
    common_words(name, Language::English).is_some()
}

/// Returns the words for an argument, if its name is a common one.
pub(super) fn common_words(name: &str, language: Language) -> Option<&'static str> {
    let name = spelling(name);
    let found = WORDS.iter().find(|(known, _, _)| *known == name);
    found.map(|(_, english, chinese)| language.pick(english, chinese))
}
