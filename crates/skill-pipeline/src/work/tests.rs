//! Units of one package: it is read once for all of them.

use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};

use plugin_model::{Package, Sources};
use plugin_readers::{READERS, Reader};

use super::*;
use crate::{MigrateOptions, Pipeline};

static N_READS: AtomicUsize = AtomicUsize::new(0);

fn claude() -> &'static Reader {
    let mut readers = READERS.iter();
    readers.find(|reader| reader.name == "claude").unwrap()
}

fn read(sources: Sources<'_>) -> (Option<Package<'_>>, Vec<Diagnostic>) {
    N_READS.fetch_add(1, Ordering::Relaxed);
    (claude().read)(sources)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test lays out its own files")]
fn a_package_is_read_once_for_all_of_its_units() {
    const N_UNITS: usize = 40;
    let dir = tempfile::tempdir().unwrap();
    let commands = dir.path().join("in/.claude/commands");
    fs::create_dir_all(&commands).unwrap();
    for at in 0..N_UNITS {
        let text = format!("---\ndescription: Does thing {at}.\n---\nDo $ARGUMENTS.\n");
        fs::write(commands.join(format!("do-{at}.md")), text).unwrap();
    }
    let options = MigrateOptions::new(dir.path().join("in"), dir.path().join("out"));
    let mut pipeline = Pipeline::open(options).unwrap();
    let counting = Reader { read, ..*claude() };
    let counting: &'static Reader = Box::leak(Box::new(counting));
    for found in pipeline.plugins_mut() {
        found.reader = counting;
    }
    let run = pipeline.start(&|_| ()).unwrap();
    let outcomes = run.all(&|_| ()).unwrap();
    assert_eq!(outcomes.len(), N_UNITS);
    assert!(outcomes.iter().all(|it| it.status == Status::Created));
    assert_eq!(N_READS.load(Ordering::Relaxed), 1);
}
