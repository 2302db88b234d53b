//! No file of a child runs as another user, none is a device, and no memory is shared with others,
//! by any system call.

use skill_testing::find;

use crate::common::{is_full, without_namespaces};
use crate::network::{check, line};

#[test]
fn no_file_runs_as_another() {
    if find::python().is_none() {
        return;
    }
    if !is_full("set-user-id bits") {
        return;
    }
    let modes = "globals().update(ctypes=__import__('ctypes'), stat=__import__('stat'), \
        libc=__import__('ctypes').CDLL(None, use_errno=True))";
    let call = |number: u32, arguments: &str| {
        format!("(libc.syscall({number}, {arguments}), errno.errorcode[ctypes.get_errno()])[1]")
    };
    let write = "os.O_CREAT | os.O_RDWR";
    let lines = [
        line(modes, "None"),
        line("open('a', 'w').close()", "None"),
        line("os.chmod('a', 0o4755)", "EPERM"),
        line("os.fchmod(os.open('a', os.O_RDWR), 0o2755)", "EPERM"),
        line(call(452, "-100, b'a', 0o4755, 0"), "ENOSYS"),
        line(call(437, "-100, b'b', b'x' * 24, 24"), "ENOSYS"),
        line(format!("os.open('b', {write}, 0o4755)"), "EPERM"),
        line("os.open('.', os.O_TMPFILE | os.O_RDWR, 0o6755)", "EPERM"),
        line("os.mknod('c', 0o106755)", "EPERM"),
        line(
            "os.mknod('d', stat.S_IFCHR | 0o666, os.makedev(1, 3))",
            "EPERM",
        ),
        line("os.mkdir('e', 0o6755)", "None"),
        line(
            "[name for name in os.listdir() if os.stat(name).st_mode & 0o6000]",
            "[]",
        ),
        // Everyday operations still work.
        line("os.chmod('a', 0o755)", "None"),
        line(format!("os.close(os.open('f', {write}, 0o1777))"), "None"),
        line("os.mkfifo('g')", "None"),
    ];
    check(&lines, |_| {});
}

/// Without an IPC namespace nothing is shared with other processes of the user; in a private one,
/// everything belongs to the child.
fn check_shared_memory(expected: &'static str) {
    let libc = "globals().update(ctypes=__import__('ctypes'), \
        libc=__import__('ctypes').CDLL(None, use_errno=True))";
    let call = |text: &str| {
        format!(
            "(lambda found: 'got' if found >= 0 else errno.errorcode[ctypes.get_errno()])(libc.{text})"
        )
    };
    let lines = [
        line(libc, "None"),
        line(call("shmget(0x5eed, 4096, 0o1600)"), expected),
        line(call("semget(0x5eed, 1, 0o1600)"), expected),
        line(call("msgget(0x5eed, 0o1600)"), expected),
        line(
            call("shmctl(0, 14, ctypes.create_string_buffer(256))"),
            expected,
        ),
    ];
    check(&lines, |_| {});
}

#[test]
fn shared_memory_is_its_own() {
    if find::python().is_none() {
        return;
    }
    if is_full("shared memory") {
        check_shared_memory("got");
    }
}

#[test]
fn shared_memory_of_others() {
    if find::python().is_none() {
        return;
    }
    let name = "modes::shared_memory_of_others";
    without_namespaces(name, || check_shared_memory("EPERM"));
}
