//! The token prefixes of issuers, and the form of the rest.
//!
//! Source: the issuers' documentation and gitleaks' rule set for facts
//! (<https://github.com/gitleaks/gitleaks>, MIT); the patterns are our own.

use super::placeholder::is_secret_placeholder;
use super::shapes::{Shape, Tail};

const fn shape(kind: &'static str, prefix: &'static str, tail: Tail) -> Shape {
    Shape { kind, prefix, tail }
}

const GITHUB: &str = "a GitHub token";
const SLACK: &str = "a Slack token";
const STRIPE: &str = "a Stripe key";
const NPM: &str = "an npm token";
const SLACK_HOOK: &str = "a Slack webhook";
const DISCORD_HOOK: &str = "a Discord webhook";
const FEISHU_HOOK: &str = "a Feishu webhook";
const TEAMS_HOOK: &str = "a Teams webhook";
const BEARER: &str = "a bearer token";

/// All shapes.
pub(super) static SHAPES: [Shape; 133] = [
    shape("an API key (sk-…)", "sk-", Tail::Stretch(16)),
    shape(GITHUB, "ghp_", Tail::Token(36)),
    shape(GITHUB, "gho_", Tail::Token(36)),
    shape(GITHUB, "ghu_", Tail::Token(36)),
    shape(GITHUB, "ghs_", Tail::Token(36)),
    shape(GITHUB, "ghr_", Tail::Token(36)),
    shape(GITHUB, "github_pat_", Tail::Token(40)),
    shape("a GitLab token", "glpat-", Tail::Token(20)),
    shape("an AWS access key id", "AKIA", Tail::Upper(16)),
    shape("an AWS access key id", "ASIA", Tail::Upper(16)),
    shape("a Google API key", "AIza", Tail::Token(35)),
    shape("a Google OAuth secret", "GOCSPX-", Tail::Token(28)),
    shape("a Google OAuth token", "ya29.", Tail::Token(40)),
    shape(SLACK, "xoxb-", Tail::Parts(24)),
    shape(SLACK, "xoxp-", Tail::Parts(24)),
    shape(SLACK, "xoxa-", Tail::Parts(24)),
    shape(SLACK, "xoxr-", Tail::Parts(24)),
    shape(SLACK, "xoxs-", Tail::Parts(24)),
    shape(SLACK, "xoxc-", Tail::Parts(24)),
    shape(SLACK, "xoxe-", Tail::Parts(24)),
    shape(SLACK, "xapp-", Tail::Parts(24)),
    shape(NPM, "npm_", Tail::Stretch(36)),
    shape(NPM, "_authToken=", Tail::Value(16)),
    shape("a PyPI token", "pypi-AgEI", Tail::Token(50)),
    shape("a Hugging Face token", "hf_", Tail::Stretch(30)),
    shape("a Groq key", "gsk_", Tail::Stretch(40)),
    shape("a Replicate token", "r8_", Tail::Stretch(36)),
    shape("a DigitalOcean token", "dop_v1_", Tail::Hex(64)),
    shape("a SendGrid key", "SG.", Tail::Token(60)),
    shape(STRIPE, "sk_live_", Tail::Token(24)),
    shape(STRIPE, "rk_live_", Tail::Token(24)),
    shape(SLACK_HOOK, "hooks.slack.com/services/T", Tail::Webhook(20)),
    shape(SLACK_HOOK, "hooks.slack.com/workflows/T", Tail::Webhook(20)),
    shape(SLACK_HOOK, "hooks.slack.com/triggers/T", Tail::Webhook(20)),
    shape(DISCORD_HOOK, "discord.com/api/webhooks/", Tail::Webhook(30)),
    shape(
        DISCORD_HOOK,
        "discordapp.com/api/webhooks/",
        Tail::Webhook(30),
    ),
    shape("a JSON web token", "eyJ", Tail::Jwt),
    shape(BEARER, "Bearer ", Tail::Value(16)),
    shape(BEARER, "bearer ", Tail::Value(16)),
    shape("a private key", "-----BEGIN ", Tail::Pem),
    shape("a password in a URL", "://", Tail::UserInfo),
    shape("a session of an API (sess-…)", "sess-", Tail::Stretch(32)),
    shape("a Tavily key", "tvly-", Tail::Stretch(16)),
    shape("a Telegram bot token", ":AA", Tail::Telegram),
    shape("a ServerChan key", "SCT", Tail::Token(18)),
    shape("a ServerChan key", "SCU", Tail::Token(40)),
    shape("an xAI key", "xai-", Tail::Stretch(40)),
    shape("a Perplexity key", "pplx-", Tail::Stretch(32)),
    shape("an NVIDIA key", "nvapi-", Tail::Stretch(24)),
    shape("a Fireworks key", "fw_", Tail::Stretch(20)),
    shape("a Cerebras key", "csk-", Tail::Stretch(32)),
    shape("a Firecrawl key", "fc-", Tail::Hex(32)),
    shape("a Jina key", "jina_", Tail::Stretch(32)),
    shape("a Brave Search key", "BSA", Tail::Token(26)),
    shape("a Dify key", "app-", Tail::Stretch(22)),
    shape("a Dify key", "dataset-", Tail::Stretch(22)),
    shape("a Coze token", "pat_", Tail::Stretch(40)),
    shape("a LangSmith key", "lsv2_pt_", Tail::Hex(32)),
    shape("a LangSmith key", "lsv2_sk_", Tail::Hex(32)),
    shape("a Langfuse key", "sk-lf-", Tail::Token(32)),
    shape("an Alibaba Cloud key id", "LTAI", Tail::Token(12)),
    shape("a Tencent Cloud key id", "AKID", Tail::Token(28)),
    shape("a Volcengine key id", "AKLT", Tail::Token(24)),
    shape("a Baidu Cloud key", "bce-v3/ALTAK-", Tail::Value(24)),
    shape("a Databricks token", "dapi", Tail::Hex(32)),
    shape("a Shopify token", "shpat_", Tail::Hex(32)),
    shape("a Shopify token", "shpss_", Tail::Hex(32)),
    shape("a Shopify token", "shpca_", Tail::Hex(32)),
    shape("a Shopify token", "shppa_", Tail::Hex(32)),
    shape("a Square token", "sq0atp-", Tail::Token(20)),
    shape("a Square secret", "sq0csp-", Tail::Token(40)),
    shape(STRIPE, "sk_test_", Tail::Token(24)),
    shape(STRIPE, "rk_test_", Tail::Token(24)),
    shape(STRIPE, "whsec_", Tail::Token(24)),
    shape("a Twilio key", "SK", Tail::Hex(32)),
    shape("a Mailgun key", "key-", Tail::Hex(32)),
    shape("a Brevo key", "xkeysib-", Tail::Hex(60)),
    shape("a Resend key", "re_", Tail::Stretch(20)),
    shape("a Postman key", "PMAK-", Tail::Token(50)),
    shape("a Docker token", "dckr_pat_", Tail::Token(24)),
    shape("a GitLab token", "glptt-", Tail::Token(20)),
    shape("a GitLab token", "gldt-", Tail::Token(20)),
    shape("a GitLab token", "glrt-", Tail::Token(20)),
    shape("a GitLab token", "glcbt-", Tail::Token(20)),
    shape("a Gitea or Gitee token", "gta_", Tail::Token(36)),
    shape("an Atlassian token", "ATATT3", Tail::Token(60)),
    shape("a Bitbucket token", "ATBB", Tail::Token(28)),
    shape("a Linear key", "lin_api_", Tail::Token(32)),
    shape("a Notion token", "ntn_", Tail::Stretch(36)),
    shape("a Notion token", "secret_", Tail::Stretch(40)),
    shape("a Figma token", "figd_", Tail::Token(36)),
    shape("a Vault token", "hvs.", Tail::Token(24)),
    shape("a Vault token", "hvb.", Tail::Token(24)),
    shape("a DigitalOcean token", "doo_v1_", Tail::Hex(64)),
    shape("a DigitalOcean token", "dor_v1_", Tail::Hex(64)),
    shape("a Supabase token", "sbp_", Tail::Hex(40)),
    shape("a Supabase key", "sb_secret_", Tail::Token(24)),
    shape("a Render key", "rnd_", Tail::Stretch(28)),
    shape("a Doppler token", "dp.pt.", Tail::Token(40)),
    shape("a Pulumi token", "pul-", Tail::Hex(40)),
    shape("a New Relic key", "NRAK-", Tail::Token(27)),
    shape("a Sentry token", "sntrys_", Tail::Token(40)),
    shape("a Sentry token", "sntryu_", Tail::Hex(60)),
    shape("a Grafana token", "glsa_", Tail::Token(36)),
    shape("a Grafana token", "glc_eyJ", Tail::Token(32)),
    shape("an age key", "AGE-SECRET-KEY-1", Tail::Token(50)),
    shape("a RubyGems key", "rubygems_", Tail::Hex(48)),
    shape("a crates.io token", "cio", Tail::Stretch(32)),
    shape("a NuGet key", "oy2", Tail::Stretch(43)),
    shape("a Heroku key", "HRKU-", Tail::Token(32)),
    shape("a Flutterwave key", "FLWSECK", Tail::Token(32)),
    shape("a PlanetScale secret", "pscale_", Tail::Stretch(32)),
    shape("a 1Password token", "ops_eyJ", Tail::Token(100)),
    shape("a Google refresh token", "1//0", Tail::Token(40)),
    shape("a Facebook token", "EAA", Tail::Stretch(90)),
    shape("a Bilibili cookie", "SESSDATA=", Tail::Value(20)),
    shape(FEISHU_HOOK, "open-apis/bot/v2/hook/", Tail::Webhook(16)),
    shape(FEISHU_HOOK, "open-apis/bot/hook/", Tail::Webhook(16)),
    shape(
        "a DingTalk webhook",
        "oapi.dingtalk.com/robot/send?access_token=",
        Tail::Webhook(16),
    ),
    shape(
        "a WeCom webhook",
        "qyapi.weixin.qq.com/cgi-bin/webhook/send?key=",
        Tail::Webhook(16),
    ),
    shape(
        TEAMS_HOOK,
        "webhook.office.com/webhookb2/",
        Tail::Webhook(36),
    ),
    shape(TEAMS_HOOK, "outlook.office.com/webhook/", Tail::Webhook(36)),
    shape(
        "a Zapier webhook",
        "hooks.zapier.com/hooks/catch/",
        Tail::Webhook(12),
    ),
    shape("a Bark key", "api.day.app/", Tail::Value(20)),
    shape("a password of a command", " -u ", Tail::Login),
    shape("a password of a command", " -u", Tail::Login),
    shape("a password of a command", " --user ", Tail::Login),
    shape("a password of a command", " --user=", Tail::Login),
    shape("a password of a command", " --proxy-user ", Tail::Login),
    shape("a password of a command", "\"-u\"", Tail::Login),
    shape("a password of a command", "'-u'", Tail::Login),
    shape("basic credentials", "Basic ", Tail::Basic),
    shape("basic credentials", "basic ", Tail::Basic),
];

/// Returns the kind of a value that has the prefix and the shape of an issuer's token, even if it
/// looks like an example: the caller knows from its name that it is a secret.
pub(super) fn issuer_of(value: &str) -> Option<&'static str> {
    let shape = SHAPES
        .iter()
        .filter(|shape| shape.tail.is_token() && value.starts_with(shape.prefix))
        .max_by_key(|shape| shape.prefix.len())?;
    let rest = &value.as_bytes()[shape.prefix.len()..];
    let found = shape.tail.secret_in(rest, true).is_some();
    (found && !is_secret_placeholder(value)).then_some(shape.kind)
}
