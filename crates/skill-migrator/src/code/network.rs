//! The use of the network: modules by their names, and commands of programs.

/// Modules and packages of Node.js that are of no use without a network: clients of HTTP, mail,
/// databases, queues and services. A scope (`@aws-sdk`) stands for all packages in it. Sorted.
const NODE: [&str; 83] = [
    "@anthropic-ai",
    "@aws-sdk",
    "@azure",
    "@discordjs",
    "@elastic",
    "@google",
    "@google-cloud",
    "@googleapis",
    "@grpc",
    "@huggingface",
    "@larksuiteoapi",
    "@mistralai",
    "@modelcontextprotocol",
    "@notionhq",
    "@octokit",
    "@qdrant",
    "@sendgrid",
    "@slack",
    "@supabase",
    "@tavily",
    "@wecom",
    "amqplib",
    "axios",
    "basic-ftp",
    "bullmq",
    "cheerio-httpcli",
    "dgram",
    "discord.js",
    "dockerode",
    "ftp",
    "got",
    "grammy",
    "http",
    "http2",
    "https",
    "imap",
    "imapflow",
    "ioredis",
    "kafkajs",
    "ky",
    "ldapjs",
    "mongodb",
    "mongoose",
    "mqtt",
    "mssql",
    "mysql",
    "mysql2",
    "nats",
    "needle",
    "net",
    "node-fetch",
    "node-imap",
    "node-telegram-bot-api",
    "nodemailer",
    "openai",
    "pg",
    "phin",
    "playwright",
    "playwright-core",
    "postgres",
    "puppeteer",
    "puppeteer-core",
    "puppeteer-extra",
    "redis",
    "request",
    "request-promise",
    "serpapi",
    "simple-git",
    "socket.io-client",
    "socks-proxy-agent",
    "ssh2",
    "ssh2-sftp-client",
    "stompit",
    "superagent",
    "telegraf",
    "telegram",
    "tls",
    "twit",
    "undici",
    "webdav",
    "ws",
    "youtubei.js",
    "ytdl-core",
];

/// Modules of Python, of the same kinds. Sorted.
const PYTHON: [&str; 82] = [
    "MySQLdb",
    "aiohttp",
    "aiomysql",
    "aioredis",
    "akshare",
    "anthropic",
    "arxiv",
    "asyncpg",
    "asyncssh",
    "boto3",
    "botocore",
    "cassandra",
    "curl_cffi",
    "discord",
    "dns",
    "docker",
    "elasticsearch",
    "ftplib",
    "git",
    "google",
    "googleapiclient",
    "gradio_client",
    "groq",
    "grpc",
    "http",
    "httplib2",
    "httpx",
    "imaplib",
    "instaloader",
    "kafka",
    "kubernetes",
    "ldap3",
    "mcpo",
    "minio",
    "motor",
    "mysql",
    "nats",
    "nntplib",
    "notion_client",
    "openai",
    "oss2",
    "paho",
    "paramiko",
    "pika",
    "playwright",
    "poplib",
    "psycopg",
    "psycopg2",
    "pycurl",
    "pymongo",
    "pymysql",
    "pyppeteer",
    "qcloud_cos",
    "qdrant_client",
    "redis",
    "requests",
    "requests_html",
    "selenium",
    "serpapi",
    "slack_sdk",
    "smtplib",
    "socket",
    "socketio",
    "socketserver",
    "spotipy",
    "tavily",
    "telebot",
    "telegram",
    "telethon",
    "telnetlib",
    "tushare",
    "tweepy",
    "urllib",
    "urllib3",
    "websocket",
    "websockets",
    "wikipedia",
    "xmlrpc",
    "yfinance",
    "youtube_transcript_api",
    "yt_dlp",
    "zmq",
];

/// Programs that only fetch or send something.
const PROGRAMS: [&str; 6] = ["curl", "rsync", "scp", "sftp", "ssh", "wget"];
/// Commands of Git that ask another repository.
const GIT: [&str; 5] = ["clone", "fetch", "ls-remote", "pull", "push"];

/// Returns whether a module of Node.js uses the network.
pub(super) fn is_node_client(module: &str) -> bool {
    let name = module.strip_prefix("node:").unwrap_or(module);
    let name = name.split('/').next().unwrap_or(name);
    NODE.binary_search(&name).is_ok()
}

/// Returns whether a module of Python uses the network.
pub(super) fn is_python_client(module: &str) -> bool {
    let name = module.split('.').next().unwrap_or(module);
    PYTHON.binary_search(&name).is_ok()
}

/// Returns whether a text is a command line whose program uses the network: `git push origin`. A name
/// alone is not one: `curl` may be a word of a list.
pub(super) fn is_client_command(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    match (words.next(), words.next()) {
        (Some("git"), Some(command)) => GIT.contains(&command),
        (Some(program), Some(argument)) => {
            let is_argument =
                argument.starts_with(['-', '$', '"', '\'']) || argument.contains("://");
            PROGRAMS.contains(&program) && is_argument
        }
        _ => false,
    }
}

/// Cmdlets of PowerShell that fetch or send something, and their short names.
const CMDLETS: [&str; 4] = ["invoke-restmethod", "invoke-webrequest", "irm", "iwr"];
/// Words of a shell before a command.
const KEYWORDS: [&str; 10] = [
    "!", "do", "elif", "else", "exec", "if", "sudo", "then", "time", "while",
];

/// Returns whether a script of a shell runs a program that uses the network.
pub(crate) fn is_client_script(text: &str) -> bool {
    let code = text.lines().map(str::trim_start);
    let code = code.filter(|line| !line.starts_with('#'));
    let mut commands = code.flat_map(|line| line.split([';', '|', '&', '(', ')', '`', '{', '}']));
    commands.any(|command| {
        let is_before = |word: &&str| KEYWORDS.contains(word) || is_assignment(word);
        let words = command.split_ascii_whitespace().skip_while(is_before);
        let words: Vec<&str> = words.collect();
        let is_cmdlet = |word: &&str| CMDLETS.contains(&word.to_ascii_lowercase().as_str());
        words.iter().any(is_cmdlet) || is_client_command(&words.join(" "))
    })
}

/// Returns true for `NAME=value` before a command, which sets a variable for it.
fn is_assignment(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    word.len() > name.len() && !name.is_empty() && name.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(NODE.is_sorted());
        assert!(PYTHON.is_sorted());
    }

    #[test]
    fn knows_scripts_with_clients() {
        for (script, expected) in [
            ("#!/bin/bash\nIN=$(cat)\nOUT=$(curl -sS \"$URL\")", true),
            ("curl -sS https://ip.example > o || exit 1", true),
            ("if ! wget -q https://a.example/x; then\n  exit 1\nfi", true),
            ("LANG=C curl -s https://a.example | jq .", true),
            ("$page = Invoke-WebRequest -Uri $uri", true),
            ("Invoke-RestMethod -Uri $uri", true),
            ("echo 'use curl -s'", false),
            ("# curl -s https://a.example", false),
            ("cat file | sed s/a/b/", false),
        ] {
            assert_eq!(is_client_script(script), expected, "{script}");
        }
    }

    #[test]
    fn knows_clients() {
        for module in [
            "node:https",
            "axios",
            "mysql2/promise",
            "@aws-sdk/client-s3",
        ] {
            assert!(is_node_client(module), "{module}");
        }
        for module in ["fs", "express", "@napi-rs/canvas", "./http", "https-list"] {
            assert!(!is_node_client(module), "{module}");
        }
        for (module, expected) in [
            ("http.client", true),
            ("redis", true),
            ("html.parser", false),
        ] {
            assert_eq!(is_python_client(module), expected, "{module}");
        }
        for (text, expected) in [
            ("git push", true),
            ("git clone ${url} x", true),
            ("git status", false),
            ("curl -s https://host", true),
            ("wget https://host/x", true),
            ("ssh ${user}@host", true),
            ("curl", false),
            ("curl of a vector", false),
            ("push", false),
        ] {
            assert_eq!(is_client_command(text), expected, "{text}");
        }
    }
}
