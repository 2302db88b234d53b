//! Routes of services: what Express 5 answers, because the old host was built on it. The rows were
//! compared with Express 5.3 by hand; `docs/design/legacy-host.md` §1.6 says how routes are registered.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out their own modules"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use skill_executor::module::{HostView, Launch, Worker};

/// A module of this source, or none without Node.
fn worker(dir: &Path, source: &str) -> Option<Worker> {
    skill_testing::find::node()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::fs::write(dir.join("site.js"), source).unwrap();
    std::fs::write(dir.join("page.html"), "<p>page</p>").unwrap();
    std::fs::write(dir.join("dot.png"), [0x89, 0xff]).unwrap();
    let launch = Launch {
        name: "Own".to_owned(),
        file: dir.join("site.js"),
        cwd: dir.to_owned(),
        environment: BTreeMap::from([("PATH".into(), path)]),
        configuration: json!({"CITY": "Oslo"}).as_object().unwrap().clone(),
        stored: skill_settings::Values::default(),
        host: HostView {
            project_base: dir.to_str().unwrap().to_owned(),
            ..HostView::default()
        },
        preserve_symlinks: false,
        memory_mb: 256,
    };
    let spec = launch.spec();
    Some(Worker::new(launch, spec))
}

fn answers(worker: &Worker, requests: &[Value], namespaced: bool) -> Vec<Value> {
    let request = json!({
        "op": "requests", "requests": requests, "routes": {"namespaced": namespaced}, "timeoutMs": 30_000,
    });
    let request: Map<_, _> = request.as_object().unwrap().clone();
    let reply = worker.ask(request, Duration::from_mins(1)).unwrap();
    let value = reply.outcome.unwrap().unwrap();
    value["responses"].as_array().unwrap().clone()
}

/// The registered routes as `METHOD path`.
#[track_caller]
fn check_table(source: &str, expected: &[&str]) {
    let dir = tempfile::tempdir().unwrap();
    let source = format!("exports.registerRoutes = (app, admin, config, base) => {{ {source} }}");
    let Some(worker) = worker(dir.path(), &source) else {
        return;
    };
    let request = json!({"op": "routes", "routes": {"namespaced": false}});
    let request: Map<_, _> = request.as_object().unwrap().clone();
    let reply = worker.ask(request, Duration::from_mins(1)).unwrap();
    let value = reply.outcome.unwrap().unwrap();
    let table = value["routes"].as_array().unwrap().iter();
    let table: Vec<_> = table
        .map(|route| {
            format!(
                "{} {}",
                route["method"].as_str().unwrap(),
                route["path"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(table, expected);
}

#[test]
fn routes_are_listed() {
    check_table("", &[]);
    check_table(
        "app.get('/a', f); app.post(['/a', '/b/:id'], f); app.use(f); app.get(/x/, f); app.get('/a', f); \
         admin.route('/c').get(f).put(f); function f() {}",
        &[
            "GET /a",
            "POST /a",
            "POST /b/:id",
            "GET /admin_api/c",
            "PUT /admin_api/c",
        ],
    );
    // A router of Express: layers with `handle`, and routes with an object of methods.
    check_table(
        "const router = () => {}; router.stack = [{route: {path: '/y', methods: {get: true}}, handle() {}}]; app.use('/x', router);",
        &["GET /x/y"],
    );
    // What is mounted at a path.
    check_table(
        "app.use(f); app.use('/files', f); app.use(['/:key/a', '/'], f, f); admin.use('/b', f); function f() {}",
        &["GET /files", "GET /:key/a", "GET /admin_api/b"],
    );
}

/// A request as `METHOD path`, and status, type and body as JSON.
#[track_caller]
fn check(source: &str, rows: &[(&str, &str)]) {
    let dir = tempfile::tempdir().unwrap();
    let source = format!("exports.registerRoutes = (app, admin, config, base) => {{ {source} }}");
    let Some(worker) = worker(dir.path(), &source) else {
        return;
    };
    let requests: Vec<_> = rows.iter().map(|(request, _)| read(request)).collect();
    for ((request, expected), answer) in rows.iter().zip(answers(&worker, &requests, false)) {
        let expected: Value = serde_json::from_str(expected).unwrap();
        let seen = json!([answer["status"], answer["type"], answer["body"]]);
        assert_eq!(seen, expected, "{request}");
    }
}

/// `POST /path {"json":1}` or `POST /path type=body`.
fn read(request: &str) -> Value {
    let mut words = request.splitn(3, ' ');
    let (method, path) = (words.next(), words.next());
    let mut res = json!({"method": method, "path": path});
    match words.next() {
        Some(body) if body.starts_with(['{', '[']) => {
            res["body"] = serde_json::from_str(body).unwrap();
        }
        Some(typed) => {
            let (kind, body) = typed.split_once('=').unwrap();
            res["headers"] = json!({"Content-Type": kind});
            res["body"] = body.into();
        }
        None => {}
    }
    res
}

#[test]
fn paths_and_parameters() {
    check(
        "const show = (q, r) => r.json({ ...q.params });
         app.get('/p/:id', show); app.get('/p/:a/of/:b', show); app.get('/w/*rest', show); app.get('/o{/:x}', show);
         app.get('/f/:name.:ext', show); app.get(/^\\/re(\\d+)$/, show); app.get(['/m1', '/m2/:z'], show);
         app.get('/q', (q, r) => r.json(q.query)); app.get('/old/*', show);",
        &[
            ("GET /p/1", r#"[200,"application/json",{"id":"1"}]"#),
            ("GET /P/1/?x=2", r#"[200,"application/json",{"id":"1"}]"#),
            ("GET /p/三/of/a%2Fb", r#"[200,"application/json",{"a":"三","b":"a/b"}]"#),
            ("GET /w/a/b", r#"[200,"application/json",{"rest":["a","b"]}]"#),
            ("GET /o", r#"[200,"application/json",{}]"#),
            ("GET /o/5", r#"[200,"application/json",{"x":"5"}]"#),
            ("GET /f/a.b", r#"[200,"application/json",{"name":"a","ext":"b"}]"#),
            ("GET /re12", r#"[200,"application/json",{"0":"12"}]"#),
            ("GET /m2/q", r#"[200,"application/json",{"z":"q"}]"#),
            ("GET /q?a=1&b=2&a=3&c[d]=4", r#"[200,"application/json",{"a":["1","3"],"b":"2","c[d]":"4"}]"#),
            ("GET /old/a/b", r#"[200,"application/json",{"0":"a/b"}]"#),
        ],
    );
}

#[test]
fn bodies() {
    check(
        "app.post('/b', (q, r) => r.json({ b: q.body, t: typeof q.body }));",
        &[
            (
                r#"POST /b {"a":[1]}"#,
                r#"[200,"application/json",{"b":{"a":[1]},"t":"object"}]"#,
            ),
            ("POST /b", r#"[200,"application/json",{"t":"undefined"}]"#),
            (
                "POST /b text/plain=words",
                r#"[200,"application/json",{"b":"words","t":"string"}]"#,
            ),
            (
                "POST /b application/x-www-form-urlencoded=a=1&b[c]=2&d[]=3&d[]=4",
                r#"[200,"application/json",{"b":{"a":"1","b":{"c":"2"},"d":["3","4"]},"t":"object"}]"#,
            ),
            (
                "POST /b text/xml=<x/>",
                r#"[200,"application/json",{"t":"undefined"}]"#,
            ),
        ],
    );
}

#[test]
fn answers_have_the_types_of_express() {
    check(
        "app.get('/html', (q, r) => r.send('<b>')); app.get('/null', (q, r) => r.send(null));
         app.get('/true', (q, r) => r.send(true)); app.get('/buffer', (q, r) => r.send(Buffer.from('hi')));
         app.get('/end', (q, r) => r.end('plain')); app.get('/204', (q, r) => r.status(204).send('x'));
         app.get('/418', (q, r) => r.sendStatus(418)); app.get('/csv', (q, r) => r.type('csv').send('a,b'));
         app.get('/own', (q, r) => r.set('Content-Type', 'application/vnd.x+json').send('{\"a\":1}'));
         app.get('/to', (q, r) => r.redirect('/é x')); app.get('/file', (q, r) => r.sendFile(base + '/page.html'));
         app.get('/image', (q, r) => r.sendFile('dot.png', { root: base })); app.get('/out', (q, r) => r.sendFile('../x', { root: base }));
         app.get('/parts', (q, r) => { r.write('a'); setTimeout(() => r.end('b'), 5) });
         app.get('/say', (q, r) => r.format({ json: () => r.json(1), html: () => r.send('h') }));",
        &[
            ("GET /html", r#"[200,"text/html","<b>"]"#),
            ("HEAD /html", r#"[200,"text/html",""]"#),
            ("GET /null", r#"[200,"",""]"#),
            ("GET /true", r#"[200,"application/json",true]"#),
            ("GET /buffer", r#"[200,"application/octet-stream","hi"]"#),
            ("GET /end", r#"[200,"","plain"]"#),
            ("GET /204", r#"[204,"",""]"#),
            ("GET /418", r#"[418,"text/plain","I'm a Teapot"]"#),
            ("GET /csv", r#"[200,"text/csv","a,b"]"#),
            ("GET /own", r#"[200,"application/vnd.x+json",{"a":1}]"#),
            ("GET /to", r#"[302,"text/plain","Found. Redirecting to /%C3%A9%20x"]"#),
            ("GET /file", r#"[200,"text/html","<p>page</p>"]"#),
            ("GET /image", r#"[200,"image/png","if8="]"#),
            ("GET /parts", r#"[200,"","ab"]"#),
            ("GET /say", r#"[200,"application/json",1]"#),
            ("OPTIONS /html", r#"[200,"text/plain","GET, HEAD"]"#),
        ],
    );
}

#[test]
fn handlers_run_in_order_and_errors_find_theirs() {
    check(
        "app.use((q, r, next) => { q.seen = [q.method]; next() });
         app.get('/chain', [(q, r, next) => { q.seen.push(1); next() }], (q, r, next) => next('route'), (q, r) => r.json('never'));
         app.get('/chain', (q, r) => r.json(q.seen));
         app.route('/two').get((q, r) => r.send('g')).post((q, r) => r.send('p')); app.all('/all', (q, r) => r.send(q.method));
         app.use('/sub/:t', (q, r, next) => q.url === '/deep?x=1' ? r.json([q.params.t, q.baseUrl, q.path, q.originalUrl]) : next());
         app.get('/throw', () => { throw Object.assign(new Error('boom'), { status: 422 }) });
         app.get('/reject', async () => { throw new Error('late') });
         app.use((error, q, r, next) => r.status(error.status ?? 500).json({ caught: error.message }));
         admin.get('/own', (q, r) => r.send('admin ' + config.CITY));",
        &[
            ("GET /chain", r#"[200,"application/json",["GET",1]]"#),
            ("POST /two", r#"[200,"text/html","p"]"#),
            ("PATCH /all", r#"[200,"text/html","PATCH"]"#),
            ("GET /sub/x/deep?x=1", r#"[200,"application/json",["x","/sub/x","/deep","/sub/x/deep?x=1"]]"#),
            ("GET /throw", r#"[422,"application/json",{"caught":"boom"}]"#),
            ("GET /reject", r#"[500,"application/json",{"caught":"late"}]"#),
            ("GET /admin_api/own", r#"[200,"text/html","admin Oslo"]"#),
        ],
    );
}

/// The registration of the routes, whether the manifest has `hasApiRoutes`, a path, and its status.
const STYLES: [(&str, bool, &str, u16); 9] = [
    (
        "exports.registerApiRoutes = (r, c, b, w) => r.get('/x', (q, s) => s.json([c.CITY, typeof w.broadcast]))",
        true,
        "/api/plugins/Own/x",
        200,
    ),
    (
        "exports.registerApiRoutes = (r) => r.get('/x', (q, s) => s.end())",
        false,
        "/api/plugins/Own/x",
        404,
    ),
    (
        "exports.registerRoutes = (app, c, b) => app.get('/x', (q, s) => s.json([c.CITY, typeof b]))",
        false,
        "/x",
        200,
    ),
    (
        "exports.registerRoutes = (app, admin, c, b) => admin.get('/x', (q, s) => s.json(c.CITY))",
        false,
        "/admin_api/x",
        200,
    ),
    (
        "exports.registerRoutes = (app, c, b, d = 1) => app.get('/x', (q, s) => s.json(c.CITY))",
        false,
        "/x",
        200,
    ),
    (
        "exports.registerRoutes = (app, ...rest) => app.get('/' + rest.length, (q, s) => s.end())",
        false,
        "/2",
        200,
    ),
    (
        "exports.registerRoutes = app => { app.get('/x', (q, s) => s.end()); throw new Error('half') }",
        false,
        "/x",
        200,
    ),
    (
        "exports.registerRoutes = app => { app.get('/x', () => { throw new Error('boom') }) }",
        false,
        "/x",
        500,
    ),
    ("module.exports = {}", true, "/x", 404),
];

#[test]
fn routes_are_registered_in_the_style_of_the_module() {
    for (source, namespaced, path, status) in STYLES {
        let dir = tempfile::tempdir().unwrap();
        let Some(worker) = worker(dir.path(), source) else {
            return;
        };
        let answer = &answers(&worker, &[json!({"path": path})], namespaced)[0];
        assert_eq!(answer["status"], status, "{source}: {answer}");
    }
}
