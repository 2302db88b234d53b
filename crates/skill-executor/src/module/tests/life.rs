//! The life of the process of a module: calls side by side, crashes, time limits, its end.

use super::*;

#[test]
fn calls_of_one_process_run_side_by_side() {
    let source = "const waiting = []; exports.processToolCall = ({n}) => new Promise(done => {
        waiting.push(() => done({n, pid: process.pid}));
        if (waiting.length === 50) waiting.reverse().forEach(each => each());
    })";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let worker = Arc::new(bench.worker());
    let callers: Vec<_> = (0..50)
        .map(|n| {
            let worker = Arc::clone(&worker);
            std::thread::spawn(move || {
                let reply = worker.ask(call_request(&json!({"n": n}), 60_000), PATIENCE);
                let value = value_of(reply.unwrap());
                assert_eq!(value["n"], n);
                value["pid"].clone()
            })
        })
        .collect();
    let mut pids: Vec<_> = callers
        .into_iter()
        .map(|caller| caller.join().unwrap())
        .collect();
    pids.dedup();
    assert_eq!(pids.len(), 1);
}

#[test]
fn a_crash_fails_its_call_and_the_next_one_gets_a_new_process() {
    let source = "exports.processToolCall = ({die}) => die ? process.exit(3) : {pid: process.pid}";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let worker = bench.worker();
    let pid = || {
        let reply = worker.ask(call_request(&json!({}), 60_000), PATIENCE);
        value_of(reply.unwrap())["pid"].clone()
    };
    let first = pid();
    assert_eq!(pid(), first);
    let died = worker.ask(call_request(&json!({"die": true}), 60_000), PATIENCE);
    let code = skill_sandbox::Exit::Code(3);
    assert!(matches!(died, Err(WorkerError::Link(LinkError::Ended(Some(exit)))) if exit == code));
    assert_ne!(pid(), first);
}

#[test]
fn repeated_crashes_are_paused() {
    let Some(bench) = Bench::new("main.js", "process.exit(1)") else {
        return;
    };
    let worker = bench.worker();
    let ask = |patience| worker.ask(call_request(&json!({}), 60_000), patience);
    for _ in 0..3 {
        assert!(matches!(
            ask(PATIENCE),
            Err(WorkerError::Link(LinkError::Ended(_)))
        ));
    }
    assert!(matches!(ask(Duration::ZERO), Err(WorkerError::Pause(_))));
}

#[test]
fn a_busy_module_is_killed() {
    let source = "exports.processToolCall = ({busy}) => { while (busy); return {a: 1} }";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let worker = bench.worker();
    value_of(
        worker
            .ask(call_request(&json!({}), 60_000), PATIENCE)
            .unwrap(),
    );
    let timeout = Duration::from_millis(300);
    let silent = worker.ask(call_request(&json!({"busy": true}), 100), timeout);
    assert!(matches!(silent, Err(WorkerError::Link(LinkError::Silent))));
    value_of(
        worker
            .ask(call_request(&json!({}), 60_000), PATIENCE)
            .unwrap(),
    );
}

#[test]
fn a_timeout_aborts_the_signal_and_kills_nothing() {
    let source = "let reason; exports.processToolCall = ({look}, {signal}) => {
        if (look) return {pid: process.pid, reason};
        signal.addEventListener('abort', () => { reason = signal.reason.message });
        return new Promise(() => {});
    }";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let worker = bench.worker();
    let refusal = refusal_of(worker.ask(call_request(&json!({}), 100), PATIENCE));
    assert_eq!(refusal.kind, RefusalKind::Timeout);
    let seen = value_of(
        worker
            .ask(call_request(&json!({"look": 1}), 60_000), PATIENCE)
            .unwrap(),
    );
    assert_eq!(
        seen["reason"],
        "Plugin \"Own\" direct tool call timed out after 100ms."
    );
}

#[test]
fn a_call_that_is_given_up_aborts_the_signal_and_kills_nothing() {
    let source = "let reason; exports.processToolCall = ({look}, {signal}) => {
        if (look) return {pid: process.pid, reason};
        signal.addEventListener('abort', () => { reason = signal.reason.message });
        console.log('begun'); return new Promise(() => {});
    }";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let worker = bench.worker();
    let cancel = Cancel::new();
    let answer = std::thread::scope(|scope| {
        let request = call_request(&json!({}), 600_000);
        let running = scope.spawn(|| worker.ask_unless(request, Duration::from_mins(10), &cancel));
        let mut printed = String::new();
        for _ in 0..3_000 {
            printed.push_str(&worker.take_remainder().stdout);
            if printed.contains("begun") {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        cancel.cancel();
        running.join().expect("asking does not panic")
    });
    assert!(matches!(
        answer,
        Err(WorkerError::Link(LinkError::Cancelled))
    ));
    let look = call_request(&json!({"look": 1}), 60_000);
    let seen = value_of(worker.ask(look, PATIENCE).unwrap());
    assert_eq!(seen["reason"], "The call of \"Own\" was cancelled.");
}

#[test]
fn what_a_module_tells_the_host_is_kept() {
    let source = "exports.initialize = (c, {vcpLogFunctions: log, pluginManager}) => {
        log.pushVcpLog({l: 1}); log.pushVcpInfo('i'); pluginManager.on('tools_changed', () => {});
        setTimeout(() => { throw new Error('behind') }); console.error('diagnostics');
        throw new Error('no');
      };
      exports.processToolCall = () => new Promise(done => setTimeout(done, 20))";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let worker = bench.worker();
    value_of(
        worker
            .ask(call_request(&json!({}), 60_000), PATIENCE)
            .unwrap(),
    );
    worker.shutdown();
    let left = worker.take_remainder();
    let events: Vec<_> = left
        .events
        .into_iter()
        .map(|event| (event.name, event.data))
        .collect();
    let expected = [
        ("vcp-log", json!({"l": 1})),
        ("vcp-info", json!("i")),
        ("initialize-failed", json!("no")),
        ("uncaught", json!("behind")),
    ];
    let expected = expected.map(|(name, data)| (name.to_owned(), data));
    assert_eq!(events, expected);
    assert!(left.stderr.contains("diagnostics"), "{}", left.stderr);
}

#[test]
fn shutdown_is_awaited_and_a_module_that_is_left_goes_on() {
    let source = "const fs = require('fs'), path = require('path');
      const note = word => fs.writeFileSync(path.join(__dirname, word), word);
      exports.processToolCall = () => { setTimeout(() => note('later'), 300); return {} };
      exports.shutdown = () => new Promise(done => setTimeout(() => { note('down'); done() }, 50))";
    let Some(bench) = Bench::new("main.js", source) else {
        return;
    };
    let has = |word: &str| bench.dir.path().join("Plugin/Own").join(word).exists();
    let worker = bench.worker();
    value_of(
        worker
            .ask(call_request(&json!({}), 60_000), PATIENCE)
            .unwrap(),
    );
    worker.leave(PATIENCE);
    assert!(!has("down"));
    let patience = Instant::now() + PATIENCE;
    while !has("later") {
        assert!(Instant::now() < patience, "it was not left alone");
        std::thread::sleep(Duration::from_millis(10));
    }
    value_of(
        worker
            .ask(call_request(&json!({}), 60_000), PATIENCE)
            .unwrap(),
    );
    worker.shutdown();
    assert!(has("down"));
}
