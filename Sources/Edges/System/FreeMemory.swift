import CMalloc

/// Gives memory that is not in use any more back to the system, which takes about a millisecond.
///
/// The allocator keeps what a large piece of work has used for the next one; that is right for many small pieces, and not
/// after a rare large one. The C function is `malloc_trim`.
public func releaseFreeMemory() { malloc_trim(0) }
