//! The common trades: their cues, the requests of their users, and their names in English.

/// A common trade.
pub(crate) struct Trade {
    /// Words of a name or a first sentence, in lower case; `a+b` needs both, `a+!b` only the first.
    pub(super) cues: &'static [&'static str],
    /// Requests of users in Chinese.
    pub(crate) requests: &'static [&'static str],
    /// The trade in English, in lower case unless it is a name.
    pub(crate) english: &'static str,
}

const fn trade(
    cues: &'static [&'static str],
    requests: &'static [&'static str],
    english: &'static str,
) -> Trade {
    Trade {
        cues,
        requests,
        english,
    }
}

pub(super) const TRADES: [Trade; 79] = [
    trade(
        &[
            "视频生成",
            "生成视频\n",
            "文生视频",
            "图生视频",
            "video generation",
            "generate video",
            "text-to-video",
        ],
        &["做一段视频", "生成一个视频"],
        "video generation",
    ),
    trade(
        &["图生视频", "图像到视频", "image-to-video"],
        &["让这张图动起来"],
        "video generation",
    ),
    trade(
        &["视频拼接", "拼接视频", "拼接为一个视频", "合并视频"],
        &["把几段视频接起来"],
        "video generation",
    ),
    trade(
        &[
            "文生图",
            "图像生成",
            "图片生成器",
            "图片生成\n",
            "生成图像",
            "生成图片",
            "生成和编辑图片",
            "生成高质量图",
            "风格的图片",
            "绘图",
            "绘画",
            "生图",
            "画图",
            "image generation",
            "generate image",
            "text-to-image",
        ],
        &["画一张图", "生成一张图片"],
        "image generation",
    ),
    trade(
        &[
            "图生图",
            "修图",
            "编辑图片",
            "图像编辑",
            "图片编辑",
            "图像生成和编辑",
            "image editing",
        ],
        &["改一下这张图"],
        "image editing",
    ),
    trade(
        &["生成音乐", "音乐生成", "歌曲生成", "music generation"],
        &["写首歌", "生成一段音乐"],
        "music generation",
    ),
    trade(
        &["点歌", "播放音乐", "音乐播放", "play music"],
        &["放首歌"],
        "music",
    ),
    trade(
        &["深度研究", "研究报告", "deep research"],
        &["深入研究一下", "写份调研报告"],
        "deep research",
    ),
    trade(
        &[
            "网络搜索",
            "联网搜索",
            "实时搜索",
            "搜索引擎",
            "浏览器搜索",
            "搜索结果页",
            "web search",
            "search the web",
            "谷歌",
            "google+search+!scholar",
        ],
        &["搜一下", "查最新消息"],
        "web search",
    ),
    trade(
        &["代码搜索", "搜索代码", "源码搜索", "code search"],
        &["这段代码在哪里", "搜一下代码"],
        "code search",
    ),
    trade(
        &["文件搜索", "搜索文件", "文件秒搜", "find files"],
        &["找一个文件", "这个文件放在哪里"],
        "file search",
    ),
    trade(
        &["文件系统操作", "文件操作", "文件管理", "file operations"],
        &["读一下这个文件", "移动这些文件"],
        "file operations",
    ),
    trade(
        &[
            "powershell命令",
            "powershell 命令",
            "shell命令",
            "shell 命令",
            "终端命令",
            "命令执行",
            "shell command",
        ],
        &["执行这条命令", "在终端里跑一下"],
        "shell commands",
    ),
    trade(
        &["天气", "weather"],
        &["今天天气怎么样", "要不要带伞"],
        "weather",
    ),
    trade(
        &["日程", "calendar"],
        &["提醒我", "我有什么安排"],
        "calendar",
    ),
    trade(
        &[
            "待办",
            "滴答清单",
            "ticktick",
            "todoist",
            "todo list",
            "to-do",
        ],
        &["记个待办", "还有什么没做"],
        "to-do lists",
    ),
    trade(
        &["创建日记", "写日记", "日记创建", "日记系统", "记日记"],
        &["记一篇日记"],
        "diary",
    ),
    trade(
        &[
            "查看日记",
            "读取日记",
            "搜索日记",
            "检索日记",
            "日记+检索",
            "日记+搜索",
            "diary+search",
        ],
        &["看看日记"],
        "diary search",
    ),
    trade(
        &["日记+整理", "日记+管理", "diary+organize", "diary+manage"],
        &["整理一下日记"],
        "diary management",
    ),
    trade(
        &["定时任务+!查询", "scheduled task+!query"],
        &["每天定时跑一次", "到点提醒我做"],
        "scheduled tasks",
    ),
    trade(
        &["论坛+!任务", "forum+!task"],
        &["去论坛看看", "发个帖"],
        "forum posts",
    ),
    trade(&["塔罗", "占卜", "tarot"], &["抽张牌", "占卜一下"], "tarot"),
    trade(
        &["数学表达式", "计算器", "科学计算", "calculator"],
        &["算一下", "这个式子等于多少"],
        "calculations",
    ),
    trade(
        &["积分", "微积分", "定积分", "integral"],
        &["求这个积分"],
        "calculations",
    ),
    trade(
        &[
            "标准差",
            "置信区间",
            "误差传递",
            "t检验",
            "standard deviation",
        ],
        &["算标准差和置信区间"],
        "calculations",
    ),
    trade(
        &["论文", "research papers", "arxiv"],
        &["有什么新论文", "最近有哪些论文"],
        "research papers",
    ),
    trade(
        &["热榜", "热搜", "trending"],
        &["今天有什么热点", "看看热榜"],
        "trending topics",
    ),
    trade(&["新闻", "news headlines"], &["今天有什么新闻"], "news"),
    trade(
        &[
            "邮件+!全文搜索+!本地邮件",
            "邮箱+!全文搜索+!本地邮件",
            "email+!full-text",
        ],
        &["查一下邮件", "有没有新邮件"],
        "email",
    ),
    trade(
        &["邮件+全文搜索", "本地邮件", "email+full-text"],
        &["查一下邮件", "找一封邮件"],
        "email search",
    ),
    trade(
        &["邮件+发送", "邮件+发信", "发邮件", "email+send"],
        &["发封邮件"],
        "email",
    ),
    trade(
        &["翻译+!midi", "translation+!midi", "translates+!midi"],
        &["翻译这段话", "这句话是什么意思"],
        "translation",
    ),
    trade(
        &[
            "github仓库",
            "github 仓库",
            "github 公开仓库",
            "github repositor",
        ],
        &["这个仓库怎么用", "讲讲这个项目"],
        "GitHub repositories",
    ),
    trade(
        &[
            "视频字幕",
            "弹幕",
            "视频内容获取",
            "bilibili",
            "b站",
            "b 站",
        ],
        &["总结这个视频", "找个视频"],
        "video subtitles and comments",
    ),
    trade(
        &[
            "url 内容",
            "网页内容",
            "网页正文",
            "fetches web pages",
            "url fetch",
        ],
        &["看看这个链接", "这个网页讲了什么"],
        "web pages",
    ),
    trade(
        &[
            "操作 chrome",
            "操作chrome",
            "浏览器自动化",
            "控制浏览器",
            "browser automation",
        ],
        &["打开这个网页", "点一下这个按钮"],
        "browser control",
    ),
    trade(
        &["日志监控", "监控日志", "log monitoring"],
        &["日志里有没有报错", "盯着这个日志"],
        "log monitoring",
    ),
    trade(
        &["a股", "a 股", "个股", "k线", "stock quote"],
        &["看看这只股票", "今天大盘怎么样"],
        "stocks",
    ),
    trade(
        &["金融", "股票", "stock market"],
        &["现在行情怎么样"],
        "market data",
    ),
    trade(
        &["目录结构", "文件夹结构", "目录树", "directory tree"],
        &["看看这个目录的结构"],
        "directory trees",
    ),
    trade(
        &["钓鱼", "域名安全", "链接安全", "phishing"],
        &["这个链接安全吗", "是不是钓鱼网站"],
        "link safety",
    ),
    trade(
        &["渲染 html", "渲染html", "html 渲染", "render html"],
        &["把这段 HTML 渲染成图片"],
        "rendering",
    ),
    trade(
        &["分析指定的项目", "项目分析", "分析项目", "project analysis"],
        &["分析一下这个项目"],
        "project analysis",
    ),
    trade(
        &["mcp 工具", "mcp工具", "mcp tools"],
        &["有哪些 MCP 工具"],
        "MCP tools",
    ),
    trade(
        &["rag检索", "rag 检索", "知识库检索", "知识库搜索"],
        &["在知识库里找一下"],
        "knowledge base search",
    ),
    trade(&["火车票", "12306", "车次"], &["查火车票"], "train tickets"),
    trade(
        &["路线规划", "地图导航", "周边搜索"],
        &["怎么去", "附近有什么"],
        "maps",
    ),
    trade(
        &["快递", "物流查询"],
        &["我的快递到哪了"],
        "parcel tracking",
    ),
    trade(
        &["文字识别", "ocr"],
        &["识别图里的文字", "这张图上写了什么"],
        "OCR",
    ),
    trade(
        &["语音合成", "文字转语音", "text-to-speech"],
        &["读出来"],
        "speech synthesis",
    ),
    trade(
        &["语音识别", "语音转文字", "speech-to-text"],
        &["转成文字"],
        "speech recognition",
    ),
    trade(
        &["以图找番", "动漫信息", "番剧信息"],
        &["这是哪部动漫", "这张图出自哪部番"],
        "anime by picture",
    ),
    trade(
        &["书签", "bookmark"],
        &["找一下收藏的网页", "我收藏过的那篇文章"],
        "bookmarks",
    ),
    trade(
        &["代码托管", "gitlab", "gitee"],
        &["看看这个仓库的 issue", "搜一下开源项目"],
        "code hosting",
    ),
    trade(
        &["git 操作", "git操作", "git 仓库", "git仓库"],
        &["提交代码", "看看有什么改动"],
        "Git",
    ),
    trade(&["redis"], &["查一下缓存里的值", "看看这个键"], "Redis"),
    trade(
        &[
            "数据库操作",
            "操作数据库",
            "执行 sql",
            "执行sql",
            "sql 查询",
        ],
        &["查一下数据库", "跑一条 SQL"],
        "databases",
    ),
    trade(
        &["小红书"],
        &["看看这篇小红书", "这篇笔记写了什么"],
        "Xiaohongshu notes",
    ),
    trade(&["知乎"], &["上知乎搜一下", "知乎上怎么说"], "Zhihu"),
    trade(
        &["youtube"],
        &["总结这个视频", "找个视频"],
        "YouTube videos",
    ),
    trade(
        &["1panel", "操作系统信息"],
        &["服务器现在怎么样", "服务器负载高吗"],
        "server status",
    ),
    trade(
        &["截图", "截屏", "screenshot"],
        &["截个图", "看看屏幕"],
        "screenshots",
    ),
    trade(&["摄像头", "camera"], &["拍张照", "看看摄像头"], "camera"),
    trade(
        &["掷骰", "骰子", "随机事件", "dice"],
        &["掷个骰子", "帮我随机选一个"],
        "dice",
    ),
    trade(
        &["卡牌信息", "查卡"],
        &["查一张卡", "这张卡是什么效果"],
        "card lookup",
    ),
    trade(
        &["日语学习", "japanese learning"],
        &["这个日语词什么意思", "这句日语的语法怎么分析", "帮我练日语"],
        "learning Japanese",
    ),
    trade(
        &["飞书", "feishu"],
        &["发到飞书群里", "在飞书上通知一声"],
        "Feishu messages",
    ),
    trade(
        &["企业微信", "企微", "wecom"],
        &["发到企业微信群里", "在企微上通知一声"],
        "WeCom messages",
    ),
    trade(
        &["钉钉", "dingtalk"],
        &["发到钉钉群里", "在钉钉上通知一声"],
        "DingTalk messages",
    ),
    trade(
        &["消息推送", "推送消息", "发送格式化消息"],
        &["给我发条消息"],
        "messages",
    ),
    trade(
        &["obsidian", "笔记库"],
        &["记到笔记里", "找一下笔记"],
        "notes",
    ),
    trade(
        &["pubmed", "文献检索", "检索文献", "google scholar"],
        &["找几篇文献", "有没有相关论文"],
        "literature search",
    ),
    trade(
        &["基因组", "kegg", "genome"],
        &["查一下这个基因", "这个物种有哪些基因"],
        "genes and genomes",
    ),
    trade(
        &["frp", "内网穿透"],
        &["哪些内网穿透在线", "今天的穿透流量多少"],
        "tunnels",
    ),
    trade(
        &["贤者会议", "圆桌", "多角度讨论", "多模型辩论"],
        &["从几个角度讨论一下", "帮我权衡利弊"],
        "weighing a question",
    ),
    trade(
        &["画师tag", "画师的tag", "画师串", "artist tag"],
        &["这个画师的 tag 是什么", "推荐几个画师"],
        "artist tags",
    ),
    trade(
        &["工具调用记录", "工具调用历史", "tool call history"],
        &["刚才调用了哪些工具", "查一下调用记录"],
        "records of tool calls",
    ),
    trade(&["midi"], &["写一段旋律", "解析这个 MIDI 文件"], "MIDI"),
    trade(
        &["对象存储", "cos 备份", "cos备份"],
        &["备份这个文件", "从云存储下载文件"],
        "cloud storage",
    ),
];
