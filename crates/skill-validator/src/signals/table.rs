//! The table of signals. Patterns are prefixed with `(?i-u)`: ASCII case is ignored, bytes are
//! matched.

/// A phrase to search for.
pub(crate) struct Signal {
    /// The rule's id.
    pub(crate) code: &'static str,
    /// The finding, for the message.
    pub(crate) what: &'static str,
    /// Words that every match contains, in lower case.
    pub(super) triggers: &'static [&'static str],
    pub(super) pattern: &'static str,
}

const fn signal(
    code: &'static str,
    what: &'static str,
    triggers: &'static [&'static str],
    pattern: &'static str,
) -> Signal {
    Signal {
        code,
        what,
        triggers,
        pattern,
    }
}

/// Number of signals.
pub(super) const N_SIGNALS: usize = 19;

/// All signals.
pub(super) static SIGNALS: [Signal; N_SIGNALS] = [
    signal(
        "prompt-injection",
        "an instruction to ignore other instructions",
        &["ignore", "disregard", "forget", "override"],
        r"\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|every|of|the|your|my|its|these|those)\s+){0,4}(?:previous|prior|preceding|above|earlier|existing|former|system|original|developer)\s+(?:\w+\s+){0,2}?(?:instruction|prompt|rule|message|direction|guideline|command|directive|context)s?\b",
    ),
    signal(
        "prompt-injection",
        "an instruction to ignore other instructions",
        &["忽略", "无视", "忘记"],
        r"(?:忽略|无视|忘记)(?:[^\n]{0,36})(?:之前|以上|先前|前面|上述|所有|原有|系统)(?:[^\n]{0,24})(?:指令|指示|提示|规则|要求|设定)",
    ),
    signal(
        "hidden-from-user",
        "an instruction to keep something from the user",
        &["tell", "inform", "notify", "mention", "reveal"],
        r"\b(?:do\s+not|don'?t|never|without)\s+(?:ever\s+)?(?:tell|inform|notify|mention|reveal)(?:ing)?\s+(?:\w+\s+){0,3}?(?:to\s+)?(?:the\s+)?(?:user|human|operator)\b",
    ),
    signal(
        "remote-code",
        "a download that is piped into an interpreter",
        &["curl", "wget", "iwr", "irm", "webrequest", "restmethod"],
        r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^\n|;]{0,300}\|\s*(?:sudo\s+(?:-\w+\s+)*)?(?:env\s+\S+\s+)?(?:/\S*/)?(?:(?:ba|z|da|k|a|fi)?sh|python[0-9.]*|node|perl|ruby|php|iex|invoke-expression)\b",
    ),
    signal(
        "remote-code",
        "a download that is run at once",
        &["curl", "wget"],
        r#"(?:\b(?:(?:ba|z|da|k)?sh|source|eval|python[0-9.]*)\s+(?:-c\s+)?|(?:^|\s)\.\s+)["']?(?:<\(|\$\(|`)\s*(?:curl|wget)\b"#,
    ),
    signal(
        "remote-code",
        "a download that is run at once",
        &["iex", "invoke-expression"],
        r"\b(?:iex|invoke-expression)\b[^\n]{0,80}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient)",
    ),
    signal(
        "remote-code",
        "a download that is made executable and run",
        &["curl", "wget"],
        r"\b(?:curl|wget)\b[^\n]{0,300}(?:&&|;)\s*(?:chmod\s+(?:\+x|[0-7]{3,4})\s+\S+\s*(?:&&|;)\s*(?:sudo\s+)?\S*/\S+|(?:sudo\s+)?(?:ba|z)?sh\s+\S+)",
    ),
    signal(
        "decoded-code",
        "encoded text that is decoded and run",
        &["base64", "openssl enc"],
        r"(?:base64\s+(?:-d|-D|--decode)|openssl\s+enc\s[^\n|]{0,60}-d)[^\n|]{0,100}\|\s*(?:sudo\s+)?(?:(?:ba|z|da)?sh|python[0-9.]*|node|perl)\b",
    ),
    signal(
        "decoded-code",
        "encoded text that is decoded and run",
        &[
            "atob",
            "b64decode",
            "frombase64string",
            "'base64'",
            "\"base64\"",
        ],
        r#"\b(?:eval|exec|iex|function)\s*\(?\s*(?:compile\s*\(\s*)?(?:__import__\(['"]base64['"]\)\.)?(?:window\.)?(?:atob\s*\(|base64\.b64decode\s*\(|b64decode\s*\(|buffer\.from\s*\([^)\n]{0,2000}base64|\[?[\w.:\[\]]*text\.encoding[^\n]{0,60}frombase64string)"#,
    ),
    signal(
        "reverse-shell",
        "a shell that is handed to a remote host",
        &["/dev/tcp/", "nc ", "ncat "],
        r"(?:\b(?:ba|z)?sh\s+-i\b[^\n]{0,40}/dev/tcp/|/dev/tcp/\S+[^\n]{0,40}0>&1|\bn(?:c|cat)\s+(?:-\w+\s+)*-e\s*\S*sh\b|\bn(?:c|cat)\b[^\n]{0,60}\|\s*/bin/(?:ba)?sh)",
    ),
    signal(
        "archive-password",
        "an archive that is opened with a password",
        &["unzip", "7z", "unrar", "extract"],
        r"(?:\bunzip\s+(?:-\w+\s+)*-P\s*\S|\b7z[a-z]?\s+[xe]\s[^\n]{0,100}-p\S|\bunrar\s+[xe]\s+-p\S|\bextract\b[^\n]{0,40}\b(?:with|using)\b[^\n]{0,20}\b(?:password|passcode|pass)\b)",
    ),
    signal(
        "data-sent-out",
        "environment or key files that are sent to a host",
        &["curl", "wget", "nc "],
        r"(?:\b(?:env|printenv|cat\s+\S*(?:\.env|id_rsa|credentials|\.netrc)\S*)\s*\|[^\n]{0,60}\b(?:curl|wget|nc)\b|\bcurl\b[^\n]{0,200}(?:-d|--data\S*|-F|-T|--upload-file)\s*\S{0,10}(?:\$\((?:env|printenv|cat\s)|@?\S*(?:\.env\b|id_rsa|\.ssh/|\.aws/credentials)))",
    ),
    signal(
        "paste-host",
        "a host for drops and pastes, or a bare address",
        &[
            "pastebin.com",
            "rentry.co",
            "webhook.site",
            "requestbin",
            "transfer.sh",
            "ngrok",
            "glot.io",
            "pipedream.net",
            "burpcollaborator",
            "interact.sh",
        ],
        r"https?://(?:[\w-]+\.)*(?:pastebin\.com/raw|rentry\.co|webhook\.site|requestbin\.\w+|transfer\.sh|ngrok(?:-free)?\.(?:io|app|dev)|glot\.io|pipedream\.net|burpcollaborator\.net|interact\.sh)\b",
    ),
    signal(
        "hidden-html",
        "HTML that is not shown",
        &["style"],
        r#"<[a-z][^<>\n]{0,200}style\s*=\s*["'][^"'\n]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*(?:0(?:\.0\d*)?|0?\.[01]\d*|1px)(?:px|pt|em|rem|%|;|"|'|\s)|opacity\s*:\s*0(?:;|"|'|\s)|(?:left|top|text-indent)\s*:\s*-[0-9]{3,})"#,
    ),
    signal(
        "hidden-html",
        "a comment that speaks to the agent",
        &["<!--"],
        r"<!--(?:[^-]|-[^-]){0,300}?\b(?:you\s+(?:must|should|are|have\s+to|will)\b|assistant\b|(?:ai|llm)\s+(?:agent|model|assistant)|agent\s*[:,]|ignore\b|secretly|execute\b|instructions?\s*:|do\s+not\s+(?:tell|mention|show))",
    ),
    signal(
        "hidden-html",
        "HTML that is not shown",
        &["color"],
        r#"<[a-z][^<>\n]{0,200}style\s*=\s*["'](?:[^"'\n]{0,200}[;\s])?color\s*:\s*(?:#fff(?:fff)?|white|transparent)\b"#,
    ),
    signal(
        "hidden-html",
        "HTML that is not shown",
        &["hidden"],
        r"<[a-z][a-z0-9]*\s(?:[^<>\n]{0,200}\s)?hidden(?:\s[^<>\n]{0,200})?(?:=[^<>\n]{0,20})?>",
    ),
    signal(
        "hidden-html",
        "a link definition that speaks to the agent",
        &["[//]:", "[comment]:", "[_]:"],
        r#"^\s*\[(?://|comment|_)\]:\s*\S+\s*[("'][^\n]{0,300}?\b(?:you\s+(?:must|should|are|have\s+to|will)\b|assistant\b|agent\b|ignore\b|secretly|execute\b|run\b|do\s+not\s+(?:tell|mention|show))"#,
    ),
    signal(
        "destructive-command",
        "a command that deletes a home or a disk",
        &["rm ", "mkfs", "dd "],
        r#"(?:\brm\s+(?:-\w+\s+)*-(?:rf|fr|r\s+-f|f\s+-r)\w*\s+(?:--no-preserve-root\s+)?["']?(?:/|~/?|\$HOME/?|/\*)["']?(?:\s|$|[;&|`])|\bmkfs\.\w+\s+/dev/|\bdd\s+[^\n]{0,80}of=/dev/(?:sd|nvme|hd|disk))"#,
    ),
];
