//! Texts with a secret and texts without one, a row each. `~` is left out: it keeps scanners of secrets from
//! finding the rows.

#[cfg(test)]
mod tests {
    use crate::scan_secrets;

    /// Compares what is found in each row; an empty text for nothing.
    #[track_caller]
    fn check(rows: &[(&str, &str)]) {
        for (row, expected) in rows {
            let text = row.replace('~', "");
            let hits = scan_secrets(&text);
            let found: Vec<&str> = hits.iter().map(|hit| &text[hit.range.clone()]).collect();
            let expected = expected.replace('~', "");
            let expected: Vec<&str> = (!expected.is_empty())
                .then_some(&*expected)
                .into_iter()
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn tokens_that_go_on_in_order_are_found() {
        check(&[
            (
                "token gh~p_1234567890abcdefghijklmnopqrstuvwxyz",
                "gh~p_1234567890abcdefghijklmnopqrstuvwxyz",
            ),
            (
                "gh~p_abcdefghijklmnopqrstuvwxyz0123456789",
                "gh~p_abcdefghijklmnopqrstuvwxyz0123456789",
            ),
            ("glp~at-abcdefghij0123456789", "glp~at-abcdefghij0123456789"),
            (
                "gh~o_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                "gh~o_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
            ),
            ("gh~p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", ""),
            ("gh~p_yourTokenGoesHere1yourTokenGoesHere1", ""),
            ("AIza000000000000000000000000000000000001", ""),
        ]);
    }

    #[test]
    fn addresses_of_webhooks_are_found() {
        check(&[
            (
                "curl https://hooks.slack~.com/services/T01ABCD2EFG/B03HIJK4LMN/abcdefghijklmnopqrstuvwx",
                "01ABCD2EFG/B03HIJK4LMN/abcdefghijklmnopqrstuvwx",
            ),
            (
                "https://hooks.slack~.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
                "",
            ),
            (
                "[hook](https://discord~.com/api/webhooks/112233445566778899/aBcDeFgHiJkLmNoPqRsT_1-2)",
                "112233445566778899/aBcDeFgHiJkLmNoPqRsT_1-2",
            ),
            (
                "https://discordapp~.com/api/webhooks/112233445566778899/aBcDeFgHiJkLmNoPqRsT_1-2",
                "112233445566778899/aBcDeFgHiJkLmNoPqRsT_1-2",
            ),
            (
                "https://discord.com/api/webhooks/{webhook.id}/{webhook.token}",
                "",
            ),
            ("POST discord.com/api/webhooks/WEBHOOK_ID/WEBHOOK_TOKEN", ""),
            (
                "url: https://open.feishu~.cn/open-apis/bot/v2/hook/3f2a91c4-7b6d-4a5e-9c2b-8d7f6a1e0c3b",
                "3f2a91c4-7b6d-4a5e-9c2b-8d7f6a1e0c3b",
            ),
            (
                "https://oapi.dingtalk~.com/robot/send?access_token=12345678abcdefgh",
                "12345678abcdefgh",
            ),
            (
                "https://oapi.dingtalk.com/robot/send?access_token=YOUR_TOKEN_123456",
                "",
            ),
            (
                "https://qyapi.weixin~.qq.com/cgi-bin/webhook/send?key=11111111-2222-4333-8444-5555abcdef01",
                "11111111-2222-4333-8444-5555abcdef01",
            ),
            (
                "https://acme.webhook~.office.com/webhookb2/0b9f4c1e-5d7a-4e2b-9c3d-1f2e3a4b5c6d@1/IncomingWebhook/f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b/x",
                "0b9f4c1e-5d7a-4e2b-9c3d-1f2e3a4b5c6d@1/IncomingWebhook/f3a9c1e07b6d4a5e9c2b8d7f6a1e0c3b/x",
            ),
            (
                "https://hooks.zapier~.com/hooks/catch/123456/b1c2d3/",
                "123456/b1c2d3/",
            ),
            ("Webhooks: https://api.slack.com/messaging/webhooks", ""),
        ]);
    }

    #[test]
    fn keys_in_lists_of_lines_are_found() {
        check(&[
            (
                "[\"-----BEGIN RSA PRIV~ATE KEY-----\", \"MIIEpAIBAAKCAQEA7b\", \"q7Zt3LmW9xRb2VfYk8Nc\", \"-----END RSA PRIV~ATE KEY-----\"]",
                "MIIEpAIBAAKCAQEA7b\", \"q7Zt3LmW9xRb2VfYk8Nc",
            ),
            (
                "key:\n  - -----BEGIN PRIV~ATE KEY-----\n  - MIIEvQIBADANBgkq\n  - q7Zt3LmW9xRb2VfYk8Nc\n  - -----END PRIV~ATE KEY-----\n",
                "MIIEvQIBADANBgkq\n  - q7Zt3LmW9xRb2VfYk8Nc",
            ),
            (
                "key:\n- '-----BEGIN EC PRIV~ATE KEY-----'\n- 'MHcCAQEEIHd4q7Zt3LmW9xRb2VfYk8Nc'\n- '-----END EC PRIV~ATE KEY-----'\n",
                "MHcCAQEEIHd4q7Zt3LmW9xRb2VfYk8Nc",
            ),
            (
                "'-----BEGIN PRIV~ATE KEY-----\\n' +\n  'MIIEvQIBADANBgkqhkiG9w0B'\n",
                "MIIEvQIBADANBgkqhkiG9w0B",
            ),
            (
                "MARKS = ['-----BEGIN PRIVATE KEY-----', 'somethingElseThatIsLong']",
                "",
            ),
            (
                "[\"-----BEGIN RSA PRIVATE KEY-----\", \"-----BEGIN EC PRIVATE KEY-----\"]",
                "",
            ),
            (
                "\"-----BEGIN PRIVATE KEY-----\" + body + \"-----END PRIVATE KEY-----\"",
                "",
            ),
        ]);
    }

    #[test]
    fn passwords_with_a_slash_are_found() {
        check(&[
            ("http://me:123/45@host", "123/45"),
            ("see postgres://app:9vK2/mQ7x@db.internal/x", "9vK2/mQ7x"),
            ("url: http://me:123/45@host.example/mcp", "123/45"),
            ("http://npm:4873/lodash@4.17.21", ""),
            ("http://web:8080/users/ann@a.example", ""),
            ("https://a.example:8080/@scope/x", ""),
            ("redis://host:6379/0 and ann@a.example", ""),
        ]);
    }

    #[test]
    fn words_after_the_name_of_a_secret_are_no_secrets() {
        for text in [
            "page_token: start",
            "nextPageToken: \"CAUQAA8xYz01aBcDeFgH2kLm\"",
            "next_token=q7Zt3LmW9xRb2VfYk8",
            "continuationToken: 'q7Zt3LmW9xRb2VfYk8'",
            "key: \"C major\"",
            "\"key\": \"F sharp minor\"",
            "SECRET_SANTA=true",
            "SECRET_SANTA=santa-list-2024-december-x1",
            "https://a.example/search?key=name&page=2",
            "https://a.example/search?key=sort_by_created_date_2",
            "session = morning",
            "\"session\": \"Introduction to pottery, part 2\"",
            "sort_key = created_at",
            "cookie: chocolate chip",
            "cookies = accepted",
            "pass_rate = 0.98765432101234",
            "token: identifier",
            "tokens: 4096",
            "max_tokens=128000",
            "token_limit: 200000",
            "tokenizer = cl100k_base_v2024",
            "primary_key: user_id_0001_abcdef",
            "key = Ctrl+Shift+P",
            "hotkey: ctrl-alt-delete-2024",
            "keyboard = us-international-2024",
            "signature: def f(a, b=1)",
            "sign: sagittarius",
            "password_policy: min-8-chars-1-digit",
            "password: true",
            "password_min_length = 12",
            "secret_rotation_days=90",
            "TOKEN_TTL=86400",
            "auth: basic",
            "auth = none",
            "authorization: required",
            "credentials: include",
            "credentials: 'same-origin'",
            "api_key: optional",
            "apiKey: null",
            "access_token: false",
            "monkey: banana-2024-orchard-x12",
            "key=value",
            "webhook: enabled",
            "bearer: standard bearer of the regiment",
        ] {
            check(&[(text, "")]);
        }
    }

    #[test]
    fn secrets_after_their_name_are_found() {
        for (text, secret) in [
            ("key: \"q7Zt3LmW9xRb2VfYk8\"", "q7Zt3LmW9xRb2VfYk8"),
            ("token = 'q7Zt3LmW9xRb2VfYk8'", "q7Zt3LmW9xRb2VfYk8"),
            ("session_token=q7Zt3LmW9xRb2V\n", "q7Zt3LmW9xRb2V"),
            ("upload_token: 'q7Zt3LmW9xRb2VfYk8'", "q7Zt3LmW9xRb2VfYk8"),
            ("password = \"Sonne77blume\"", "Sonne77blume"),
            ("PASSWORD=tr0mb0ne!\n", "tr0mb0ne!"),
            ("db_password: kartoffel99x\n", "kartoffel99x"),
            ("\"passwd\": \"n4Vq-77x\"", "n4Vq-77x"),
            ("client_secret: \"8Q~m2Kx9.vB4nT7w\"", "8Qm2Kx9.vB4nT7w"),
            ("SECRET=9xRb2VfYk8Nc\n", "9xRb2VfYk8Nc"),
            ("app_secret = '0a1b2c3d4e5f6071'", "0a1b2c3d4e5f6071"),
            ("api_key=0a1b2c3d4e5f6071\n", "0a1b2c3d4e5f6071"),
            ("X-Api-Key: 0a1b2c3d4e5f6071\n", "0a1b2c3d4e5f6071"),
            ("access_token: 'q7Zt3LmW9x'", "q7Zt3LmW9x"),
            ("refreshToken: \"q7Zt3LmW9x\"", "q7Zt3LmW9x"),
            ("bot_token='81273495:xYz'", "81273495:xYz"),
            (
                "https://a.example/x?key=0a1b2c3d4e5f60718293&page=2",
                "0a1b2c3d4e5f60718293",
            ),
            (
                "https://a.example/x?token=q7Zt3LmW9xRb2VfYk8",
                "q7Zt3LmW9xRb2VfYk8",
            ),
            (
                "https://a.example/x?sig=q7Zt3LmW9xRb2VfYk8",
                "q7Zt3LmW9xRb2VfYk8",
            ),
            ("https://a.example/x?api_key=n4Vq77xLm", "n4Vq77xLm"),
            ("smtp_pass: n4Vq77xLm\n", "n4Vq77xLm"),
            ("encryption_key = 'f3a9c1e07b6d4a5e'", "f3a9c1e07b6d4a5e"),
            ("private_key: 'f3a9c1e07b6d4a5e'", "f3a9c1e07b6d4a5e"),
            ("signing_key: \"f3a9c1e07b6d4a5e\"", "f3a9c1e07b6d4a5e"),
            ("license_key=AB12-CD34-EF56-GH78\n", "AB12-CD34-EF56-GH78"),
            ("jwt: 'q7Zt3LmW9xRb2VfYk8'", "q7Zt3LmW9xRb2VfYk8"),
            ("sid=q7Zt3LmW9xRb2VfYk8\n", "q7Zt3LmW9xRb2VfYk8"),
            ("csrf_token: q7Zt3LmW9xRb2VfYk8\n", "q7Zt3LmW9xRb2VfYk8"),
            ("weather_key = 'f3a9c1e07b6d4a5e9c'", "f3a9c1e07b6d4a5e9c"),
            ("webhook = 'q7Zt3LmW9xRb2VfYk8'", "q7Zt3LmW9xRb2VfYk8"),
            ("密钥：f3a9c1e07b6d4a5e", "f3a9c1e07b6d4a5e"),
            ("令牌: 'q7Zt3LmW9xRb2VfYk8'", "q7Zt3LmW9xRb2VfYk8"),
            ("パスワード: n4Vq77xLm\n", "n4Vq77xLm"),
            ("otp_seed = 'JBSWY3DPEHPK3PXP'", "JBSWY3DPEHPK3PXP"),
            ("credentials = 'ann:n4Vq77xLm'", "ann:n4Vq77xLm"),
            ("MASTER_KEY=f3a9c1e07b6d4a5e\n", "f3a9c1e07b6d4a5e"),
            ("sendkey: 'f3a9c1e07b6d'", "f3a9c1e07b6d"),
            ("authCode: '8f3k-2j9s'", "8f3k-2j9s"),
            ("userpass=Winter#4711\n", "Winter#4711"),
            ("<secret>n4Vq77xLm</secret>", "n4Vq77xLm"),
        ] {
            check(&[(text, secret)]);
        }
    }

    #[test]
    fn names_patterns_and_sentences_are_no_secrets() {
        check(&[
            ("required: ['secret', 'expiresIn']", ""),
            ("required: ['secret', 'n4Vq-~77x!']", "n4Vq-~77x!"),
            (r#""github_token": r"ghp_[0-9a-zA-Z]{36}""#, ""),
            (r#""api_key": "[a-z0-9]+-key""#, ""),
            ("password = 'n4Vq-[~77]x!'", "n4Vq-[~77]x!"),
            ("# - ENCRYPTION_KEY: Encryption keys", ""),
            (
                "ENCRYPTION_KEY: q7Zt3Lm~W9xRb2 in production",
                "q7Zt3Lm~W9xRb2",
            ),
            ("hashedPassword: 'hashedpassword'", ""),
            ("hashedPassword: 'n4Vq7~7xLm'", "n4Vq7~7xLm"),
        ]);
    }

    #[test]
    fn places_of_secrets_are_no_secrets() {
        check(&[
            (
                "https://docs.google.com/document/d/1aBcDe/edit?usp=sharing&resourcekey=0-AbCdEfGhIjKlMnOpQrStUv",
                "",
            ),
            (
                r#"valueFrom: "arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db/orders-AbCdEf""#,
                "",
            ),
            ("x: secret:n4Vq77~xLmq9Zt", "n4Vq77~xLmq9Zt"),
        ]);
    }
}
