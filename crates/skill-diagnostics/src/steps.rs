//! Counts the steps of readers, so that tests and fuzzing can tell linear time from more without a
//! clock. Without the feature `steps` nothing is counted and nothing is compiled.

#[cfg(feature = "steps")]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts so many steps of this thread: members compared, bytes looked at.
#[inline]
pub fn count(n: usize) {
    #[cfg(feature = "steps")]
    STEPS.with(|steps| steps.set(steps.get() + n as u64));
    #[cfg(not(feature = "steps"))]
    let _ = n;
}

/// How many steps some work takes. Always 0 without the feature.
pub fn of(work: impl FnOnce()) -> u64 {
    #[cfg(feature = "steps")]
    {
        let before = STEPS.with(std::cell::Cell::get);
        work();
        STEPS.with(std::cell::Cell::get) - before
    }
    #[cfg(not(feature = "steps"))]
    {
        work();
        0
    }
}
