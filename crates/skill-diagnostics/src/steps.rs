//! Counts the steps of readers, so that tests and fuzzing can verify linear time without a clock.
//! Without the feature `steps` the counting is not compiled.

#[cfg(feature = "steps")]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Adds `n` steps of this thread, such as compared members or read bytes.
#[inline]
pub fn count(n: usize) {
    #[cfg(feature = "steps")]
    STEPS.with(|steps| steps.set(steps.get() + n as u64));
    #[cfg(not(feature = "steps"))]
    let _ = n;
}

/// Returns the number of steps of `work`, or 0 without the feature.
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
