//! Settings of synthetic plugins, and the expected guards.

use serde_json::{Value, json};

use crate::{Migration, testing::migrate_plugin};

fn run(config: &Value, files: &[(&str, &str)]) -> Migration {
    let command = if files.iter().any(|(path, _)| *path == "main.py") {
        "python main.py"
    } else {
        "node main.js"
    };
    let manifest = json!({
        "name": "Desk", "pluginType": "synchronous", "version": "1.0.0",
        "description": "Keeps a desk in order.",
        "entryPoint": {"type": "nodejs", "command": command},
        "communication": {"protocol": "stdio"},
        "configSchema": config,
        "capabilities": {"invocationCommands": [{"command": "Tidy", "description": "Tidies."}]},
    });
    migrate_plugin("Desk", &manifest, files).0
}

/// Compares the guards as `KEY kind unset`, and whether calls need approval.
#[track_caller]
fn check(config: &Value, files: &[(&str, &str)], expected: &[&str]) {
    let migration = run(config, files);
    let guards = migration.metadata.config.guards.iter();
    let found: Vec<String> = guards
        .map(|guard| format!("{} {} {}", guard.key, guard.kind.word(), guard.unset.word()))
        .collect();
    assert_eq!(found, expected);
    let is_open = expected.iter().any(|line| line.ends_with(" open"));
    let approval = &migration.metadata.permissions.approval;
    assert_eq!(approval == "required", is_open);
}

#[test]
fn names_say_what_is_restricted() {
    check(
        &json!({
            "ALLOWED_DIRECTORIES": "string", "allowedHosts": "string", "FORBIDDEN_COMMANDS": "string",
            "blockedPatterns": "string", "USER_WHITELIST": "string", "BLACK_LIST": "string",
            "READ_ONLY": "boolean", "DRY_RUN": "boolean", "SANDBOX_BACKEND": "string",
            "REQUIRE_AUTH": "boolean", "AUTH_REQUIRED_COMMANDS": "string",
            "REQUIRE_CONFIRMATION": "boolean", "MAX_FILE_SIZE": "integer", "BLOCK_PRIVATE_IPS": "boolean",
            "ALLOWED_EXTENSIONS": "string", "BLOCKED_EXTENSIONS": "string",
        }),
        &[],
        &[
            "ALLOWED_DIRECTORIES allow-directories open",
            "ALLOWED_EXTENSIONS allow-files default",
            "AUTH_REQUIRED_COMMANDS authentication open",
            "BLACK_LIST deny-list open",
            "BLOCKED_EXTENSIONS deny-files open",
            "BLOCK_PRIVATE_IPS deny-hosts open",
            "DRY_RUN read-only open",
            "FORBIDDEN_COMMANDS deny-commands open",
            "MAX_FILE_SIZE limit default",
            "READ_ONLY read-only open",
            "REQUIRE_AUTH authentication open",
            "REQUIRE_CONFIRMATION confirmation open",
            "SANDBOX_BACKEND sandbox open",
            "USER_WHITELIST allow-users open",
            "allowedHosts allow-hosts open",
            "blockedPatterns deny-patterns open",
        ],
    );
}

#[test]
fn harmless_settings_are_no_guards() {
    check(
        &json!({
            "API_KEY": "string", "MAX_RESULTS": "integer", "MAX_TOKENS": "integer",
            "SANDBOX_URL": "string", "PAYPAL_SANDBOX": "boolean", "BLOCK_SIZE": "integer",
            "ENABLE_CACHE": "boolean", "IGNORED_FOLDERS": "string", "DEFAULT_PATH": "string",
            "REQUIRED_FIELDS": "string", "ALLOW_CONTEXT_PATCH": "boolean", "SKIP_INTRO": "boolean",
            "TRUSTED_PROXIES": "string", "ALLOWED_MODELS_NOTE": {"type": "integer"},
            "HOST": {"type": "string", "description": "The host to listen on."},
            "CITY": {"type": "string", "description": "是否允许使用别名的城市"},
        }),
        &[],
        &[],
    );
}

#[test]
fn texts_say_what_names_do_not() {
    check(
        &json!({
            "WORKDIRS": {"type": "string", "description": "只允许访问的目录，逗号分隔，留空表示允许所有"},
            "PANEL_PASS": {"type": "string", "description": "访问面板的口令，留空则不验证"},
        }),
        &[(
            "config.env.example",
            "# Forbidden commands, comma separated. Leave empty to allow all.\nSHELL_STOP=rm,dd\n\n# Colours that are allowed\nTINT=red\n",
        )],
        &[
            "PANEL_PASS authentication open",
            "SHELL_STOP deny-commands open",
            "WORKDIRS allow-directories open",
        ],
    );
}

#[test]
fn code_says_what_stands_in_for_a_value() {
    check(
        &json!({}),
        &[(
            "main.js",
            "const roots = (process.env.ALLOWED_ROOTS || '/srv/data').split(',');
             if (!process.env.ALLOWED_USERS) throw new Error('set it');
             const backend = process.env.SANDBOX_BACKEND || 'none';
             const dry = process.env.DRY_RUN !== 'false';
             const shell = process.env.ALLOW_SHELL === 'true', del = process.env.ALLOW_DELETE !== 'false';",
        )],
        &[
            "ALLOWED_ROOTS allow-directories default",
            "ALLOWED_USERS allow-users closed",
            "ALLOW_DELETE permission open",
            "ALLOW_SHELL permission default",
            "DRY_RUN read-only default",
            "SANDBOX_BACKEND sandbox open",
        ],
    );
}

#[test]
fn lists_that_refuse_are_found_by_their_use() {
    check(
        &json!({}),
        &[(
            "main.js",
            "const zones = (process.env.WORK_AREA || '').split(',').filter(Boolean);
             function reach(p) {
               const full = path.resolve(p);
               if (zones.length && !zones.some(z => full.startsWith(z))) throw new Error('Access denied');
             }
             const cities = (process.env.CITIES || '').split(',');
             if (!cities.includes(city)) throw new Error('unknown city');",
        )],
        &["WORK_AREA allow-directories open"],
    );
    check(
        &json!({}),
        &[(
            "main.py",
            "import os
STOP = [w.strip() for w in os.environ.get('STOP_SET', '').split(',') if w.strip()]
def run(command):
    for w in STOP:
        if w in command:
            raise PermissionError('命令被禁止: ' + w)
",
        )],
        &["STOP_SET deny-commands open"],
    );
}

#[test]
fn a_guarded_skill_reaches_no_further_and_says_so() {
    let code = "const up = require('path').join(__dirname, '..', '..'); const d = (process.env.ALLOWED_DIRS||'').split(',');";
    let place = json!({"SAVE_DIR": {"type": "string", "description": "Where files go."}});
    let migration = run(&place, &[("main.js", code)]);
    let permissions = &migration.metadata.permissions;
    assert_eq!(
        (&permissions.filesystem[..], &permissions.approval[..]),
        ("skill", "required")
    );
    let skill = migration
        .generated
        .iter()
        .find(|file| file.path == "SKILL.md")
        .expect("SKILL.md");
    assert!(skill.text.contains("## Guards\n"), "{}", skill.text);
    assert!(skill.text.contains(
        "- `ALLOWED_DIRS`: the only directories that may be reached (open without a value)\n- `SAVE_DIR`: a directory in which it works\n"
    ));
    let finding = migration
        .findings
        .iter()
        .find(|finding| finding.code == crate::codes::GUARD_OPEN);
    assert!(finding.is_some_and(|finding| finding.message.contains("`ALLOWED_DIRS`")));
}

/// The behavior of a list of refused file types without a value depends on the code.
#[test]
fn a_deny_list_is_closed_by_a_default_of_the_code_alone() {
    for (read, unset) in [
        ("process.env.BLOCKED_EXTENSIONS || '.exe,.bat'", "default"),
        ("process.env.BLOCKED_EXTENSIONS ?? '.exe'", "default"),
        ("process.env.BLOCKED_EXTENSIONS || ''", "open"),
        ("process.env.BLOCKED_EXTENSIONS", "open"),
    ] {
        let code = format!(
            "const blocked = ({read}).split(',');\n\
             if (blocked.includes(ext)) {{ throw new Error('Access denied'); }}\n"
        );
        check(
            &json!({"BLOCKED_EXTENSIONS": "string"}),
            &[("main.js", &code)],
            &[&format!("BLOCKED_EXTENSIONS deny-files {unset}")],
        );
    }
    check(
        &json!({"BLOCKED_EXTENSIONS": "string"}),
        &[(
            "main.py",
            "import os\nblocked = os.getenv('BLOCKED_EXTENSIONS', '.exe').split(',')\n",
        )],
        &["BLOCKED_EXTENSIONS deny-files default"],
    );
}

#[test]
fn a_list_without_which_nothing_is_done_is_closed() {
    let config = |text: &str| json!({ "SENDERS": { "type": "string", "description": text } });
    let code = "const senders = (process.env.SENDERS || '').split(',');";
    let check =
        |text: &str, expected: &[&str]| check(&config(text), &[("main.js", code)], expected);
    check("发件人白名单。为空则跳过拉取。", &[]);
    check(
        "用户白名单。为空则跳过拉取。",
        &["SENDERS allow-users closed"],
    );
    check("用户白名单。为空则不限。", &["SENDERS allow-users open"]);
}
