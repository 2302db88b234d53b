//! Calls that end before their program does: the time is over, or nobody wants the answer.

use std::time::Duration;

use serde_json::Value;
use skill_executor::call::Options;

use crate::world::{World, direct, shown};

#[test]
fn the_time_is_over_for_the_whole_group() {
    let mut world = direct("[sh, main]", "sleep 600 & echo $! > child.pid; wait");
    world.host.strict = false;
    let options = Options {
        timeout: Some(Duration::from_secs(1)),
        ..Options::default()
    };
    let answer = shown(world.call(&Value::Null, "", &options));
    assert_eq!(answer, "timeout: Plugin \"Child\" execution timed out.");
    let pid = world
        .host
        .state
        .read_text("skills/skill/base/Plugin/ChildDir/child.pid")
        .unwrap();
    assert!(ends(&pid), "the child of the program lives on");
}

/// Returns true if a process that was killed ends. The signal takes effect when its receiver runs
/// next, which on a busy machine is after the answer; one that was not killed sleeps for ten
/// minutes.
fn ends(pid: &str) -> bool {
    until(|| {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        stat.map_or(true, |stat| stat.contains(") Z "))
    })
}

/// A call that is given up as soon as its program has written `child.pid`: its answer, and whether
/// what it started is gone.
#[track_caller]
fn check_cancelled(kind: &str) {
    let metadata = format!(
        "type: {kind}\ntimeout_ms: 600000\nentry: {{runtime: native, shell: x, argv: [sh, main], dir: scripts}}\n"
    );
    let main = "sleep 600 & echo $! > pid; mv pid child.pid; wait";
    let world = World::new(&metadata, &[("main", main)]);
    let options = Options::default();
    let place = "skills/skill/base/Plugin/ChildDir/child.pid";
    let answer = std::thread::scope(|scope| {
        let running = scope.spawn(|| shown(world.call(&Value::Null, "", &options)));
        let begun = until(|| world.host.state.read_text(place).is_some());
        options.cancel.cancel();
        assert!(begun, "the program never began");
        running.join().unwrap()
    });
    assert_eq!(
        answer, "cancelled: the call of \"Child\" was cancelled",
        "{kind}"
    );
    let pid = world.host.state.read_text(place).unwrap();
    assert!(ends(&pid), "{kind}: the child of the program lives on");
    // Who gave up before it began runs nothing.
    std::fs::remove_file(world.host.state.path(place)).unwrap();
    shown(world.call(&Value::Null, "", &options));
    assert_eq!(world.host.state.read_text(place), None, "{kind}");
}

/// Looks for at most half a minute.
fn until(is_so: impl Fn() -> bool) -> bool {
    for _ in 0..3_000 {
        if is_so() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn a_call_that_is_given_up_leaves_nothing_behind() {
    check_cancelled("direct\ntransport: stdio-json");
    check_cancelled("direct\ntransport: stdio-json\nasync: {callback: true}");
    check_cancelled("static\ntransport: stdout\nplaceholders: [{key: One}]");
}

#[test]
fn waiting_for_a_result_can_be_given_up() {
    let metadata = "type: direct\ntransport: stdio-json\nasync: {callback: true}\nentry: {runtime: native, argv: [sh, main], dir: scripts}\n";
    let main = r#"echo '{"status":"success","result":{"taskId":"t"}}'; : > answered"#;
    let world = World::new(metadata, &[("main", main)]);
    let options = Options {
        wait: Some(Duration::from_mins(30)),
        ..Options::default()
    };
    let answer = std::thread::scope(|scope| {
        let running = scope.spawn(|| shown(world.call(&Value::Null, "", &options)));
        let answered = world
            .host
            .state
            .path("skills/skill/base/Plugin/ChildDir/answered");
        let begun = until(|| answered.exists());
        options.cancel.cancel();
        assert!(begun, "the program never answered");
        running.join().unwrap()
    });
    assert_eq!(answer, "cancelled: the call of \"Child\" was cancelled");
}
