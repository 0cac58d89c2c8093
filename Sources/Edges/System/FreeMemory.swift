import CMalloc

/// Gives memory that is not in use any more back to the system, which takes about a millisecond.
///
/// The allocator keeps what a large piece of work has used for the next one; that is right for many small pieces, and not
/// after a rare large one. The C function is `malloc_trim`.
public func releaseFreeMemory() { malloc_trim(0) }

/// Has the allocator give large blocks back as soon as they are free, and keep small ones in at most four pools.
///
/// By itself it keeps blocks of up to 32 MiB once one of that size was freed, in a pool of each thread, so that a service
/// holds on to as much as each of its threads ever needed for a rare large answer. The C function is `mallopt`. It is for the
/// beginning of a process, before threads start.
public func keepLittleFreeMemory() {
  mallopt(M_MMAP_THRESHOLD, 256 << 10)
  mallopt(M_ARENA_MAX, 4)
}
