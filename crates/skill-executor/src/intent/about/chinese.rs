//! Chinese requests: runs of characters right before and right after a name.

use super::sureness::Sureness;

/// Words right before a name that ask to run it.
const RUN_WISHES: [&str; 17] = [
    "用",
    "使用",
    "调用",
    "运行",
    "执行",
    "启动",
    "通过",
    "借助",
    "让",
    "叫",
    "拿",
    "以",
    "请",
    "试试",
    "开启",
    "跑",
    "跑一下",
];
/// Words that turn such a request into a question or its opposite.
const NEGATIONS: [&str; 24] = [
    "不要",
    "别",
    "不",
    "勿",
    "停止",
    "禁止",
    "不要再",
    "别再",
    "不再",
    "不想",
    "不想再",
    "不能",
    "无法",
    "无需",
    "不必",
    "不需要",
    "没法",
    "怎么",
    "如何",
    "怎样",
    "该不该",
    "要不要",
    "应不应该",
    "为什么",
];
/// Endings that look like [`NEGATIONS`] and ask politely.
const POLITE: [&str; 4] = ["能不能", "要不", "可不", "何不"];
const RUN_VERBS: [&str; 58] = [
    "禁用",
    "启用",
    "停用",
    "关闭",
    "卸载",
    "安装",
    "删除",
    "删掉",
    "移除",
    "更新",
    "升级",
    "配置",
    "设置",
    "查看",
    "看看",
    "看一下",
    "看下",
    "打开",
    "显示",
    "解释",
    "说明",
    "介绍",
    "讲讲",
    "修复",
    "修理",
    "调试",
    "修改",
    "重构",
    "优化",
    "改进",
    "比较",
    "对比",
    "列出",
    "重启",
    "重新加载",
    "停止",
    "审查",
    "检查",
    "测试",
    "翻译",
    "重命名",
    "迁移",
    "复制",
    "备份",
    "回滚",
    "分享",
    "下载",
    "关于",
    "把",
    "给",
    "描述",
    "重装",
    "卸掉",
    "删了",
    "去掉",
    "停掉",
    "关掉",
    "屏蔽",
];
const RUN_AFTER: [&str; 20] = [
    "源代码",
    "源码",
    "文档",
    "作者",
    "怎么",
    "如何",
    "是谁",
    "有什么",
    "有哪些",
    "能做什么",
    "为什么",
    "为何",
    "总是",
    "不能",
    "区别",
    "依赖",
    "许可",
    "调用失败",
    "调用记录",
    "工作原理",
];

/// Words after a name that only apply to programs.
const FAULTS: [&str; 52] = [
    "安全吗",
    "安全么",
    "安不安全",
    "是否安全",
    "可靠吗",
    "靠谱吗",
    "可信吗",
    "收费",
    "免费",
    "要钱",
    "多少钱",
    "贵不贵",
    "过期",
    "失效",
    "崩溃",
    "崩了",
    "卡死",
    "卡住",
    "挂了",
    "没反应",
    "打不开",
    "用不了",
    "不好用",
    "不好使",
    "不能用",
    "没法用",
    "无法使用",
    "无法工作",
    "无法运行",
    "异常",
    "超时",
    "出问题",
    "有问题",
    "出故障",
    "有bug",
    "有 bug",
    "报错",
    "坏了",
    "坏掉",
    "失败",
    "出错",
    "不工作",
    "怎么用",
    "如何使用",
    "怎么使用",
    "怎样使用",
    "怎么了",
    "是什么",
    "是干什么",
    "用法",
    "好用吗",
    "值得用",
];
/// Words that are about a name when nothing but a particle follows them: "X 删除" and "X 删除第3条".
const ALONE: [&str; 14] = [
    "配置", "设置", "命令", "说明", "装了", "安装", "卸载", "删除", "代码", "日志", "参数", "版本",
    "错误", "更新",
];
/// Adverbs before a fault.
const ADVERBS: [&str; 16] = [
    "又", "一直", "总是", "经常", "老是", "已经", "已", "突然", "好像", "似乎", "今天", "现在",
    "还", "都", "最近", "到底",
];
/// Parts of a skill that can fail instead of it.
const OWNED: [&str; 10] = [
    "token", "密钥", "key", "api", "证书", "权限", "配额", "额度", "cookie", "接口",
];
/// Words for the inside of a skill: a verb acts on that, not on the skill.
const INSIDE: [&str; 8] = ["里", "中", "内", "上的", "的第", "第", "昨天", "明天"];
/// Verbs that ask for an answer as often as they are about a skill: they need a sure name.
const SOFT_VERBS: [&str; 25] = [
    "查看",
    "看看",
    "看一下",
    "看下",
    "打开",
    "显示",
    "列出",
    "检查",
    "介绍",
    "说明",
    "解释",
    "讲讲",
    "给",
    "把",
    "关于",
    "翻译",
    "比较",
    "对比",
    "测试",
    "更新",
    "描述",
    "设置",
    "复制",
    "备份",
    "分享",
];

/// Returns true if the characters around a name are about it.
pub(super) fn is_about(before: &str, after: &str, sureness: Sureness) -> bool {
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || "「『《“\"'`".contains(c));
    let rest = after.trim_start_matches(|c: char| c.is_whitespace() || "」』》”\"'`".contains(c));
    let (rest, is_marked) = without_markers(rest);
    if is_refused(trimmed) || has_fault(rest) {
        return true;
    }
    // "禁用" and "启用" end like "用".
    if wish_at(trimmed).is_some() {
        return false;
    }
    if !is_marked && INSIDE.iter().any(|run| rest.starts_with(run)) {
        return false;
    }
    is_object(trimmed, rest, sureness) || (sureness > Sureness::Common && is_described(rest))
}

/// Returns the start of a request to run that ends right here.
fn wish_at(before: &str) -> Option<usize> {
    if RUN_VERBS.iter().any(|run| before.ends_with(run)) {
        return None;
    }
    let ends = RUN_WISHES.iter().filter(|run| before.ends_with(*run));
    ends.map(|run| before.len() - run.len()).min()
}

/// "不要用 X", "怎么用 X", "除了 X".
fn is_refused(before: &str) -> bool {
    if before.ends_with("除了") || before.ends_with("而不是") {
        return true;
    }
    let Some(at) = wish_at(before) else {
        return false;
    };
    let opening = before[..at].trim_end();
    NEGATIONS.iter().any(|run| opening.ends_with(run))
        && !POLITE.iter().any(|run| opening.ends_with(run))
}

/// Returns true if a verb is shortly before the name. "把 X 删除" and "给 X 写文档" have theirs after it.
fn is_object(before: &str, rest: &str, sureness: Sureness) -> bool {
    let last = RUN_VERBS
        .iter()
        .filter_map(|verb| Some((before.rfind(verb)?, *verb)))
        .max();
    let Some((at, verb)) = last else { return false };
    let is_soft = SOFT_VERBS.contains(&verb);
    let acts = [
        "删", "禁", "停", "关", "卸", "更新", "改", "写", "修", "升级", "重", "装", "移",
    ];
    let is_framed = matches!(verb, "把" | "给");
    let is_acted_on = is_framed && acts.iter().any(|act| rest.starts_with(act));
    let is_enough = match sureness {
        Sureness::Sure => true,
        Sureness::Likely => !is_soft || is_acted_on,
        Sureness::Common => matches!(verb, "卸载" | "禁用" | "停用" | "重装"),
    };
    is_enough
        && is_near(&before[at + verb.len()..])
        && (!is_framed || acts.iter().any(|act| rest.contains(act)))
}

/// Returns true if the name is still the object of a verb with `between` in between.
fn is_near(between: &str) -> bool {
    let is_place = ["到", "在", "进", "从", "里", "往"]
        .iter()
        .any(|run| between.trim_end().ends_with(run));
    let is_other = between.contains('第') || between.chars().any(|c| c.is_ascii_digit());
    let has_wish = RUN_WISHES
        .iter()
        .take(10)
        .any(|wish| between.contains(wish));
    between.chars().count() <= 8 && !is_place && !is_other && !has_wish
}

/// Returns the text after the name and words such as "插件", and whether there was such a word.
fn without_markers(rest: &str) -> (&str, bool) {
    let (mut rest, mut is_marked) = (rest, false);
    loop {
        let found = ["这个", "这款", "插件", "技能", "工具", "的", " "]
            .iter()
            .find_map(|word| Some((rest.strip_prefix(word)?, *word)));
        let Some((shorter, word)) = found else {
            return (rest, is_marked);
        };
        is_marked |= !matches!(word, "的" | " ");
        // "的第3条" is inside the skill.
        if word == "的" && shorter.starts_with('第') {
            return (rest, is_marked);
        }
        rest = shorter;
    }
}

/// "X 又坏了", "X 的 token 过期了", "X 安全吗".
fn has_fault(rest: &str) -> bool {
    let mut rest = rest.trim_start();
    let is_owned = OWNED.iter().any(|run| rest.starts_with(run));
    if is_owned && FAULTS.iter().any(|run| rest.contains(run)) {
        return true;
    }
    while let Some(shorter) = ADVERBS.iter().find_map(|run| rest.strip_prefix(run)) {
        rest = shorter.trim_start();
    }
    FAULTS.iter().any(|run| rest.starts_with(run))
}

fn is_described(rest: &str) -> bool {
    let is_alone = |run: &str| {
        let left = rest.strip_prefix(run).unwrap_or("-");
        let left = left.trim_start_matches(|c: char| "掉了吧一下吗呢文件在哪里方法".contains(c));
        left.trim().is_empty()
    };
    RUN_AFTER.iter().any(|run| rest.starts_with(run)) || ALONE.iter().any(|run| is_alone(run))
}
