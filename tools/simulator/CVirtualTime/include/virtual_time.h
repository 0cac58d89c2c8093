#ifndef SKAN_VIRTUAL_TIME_H
#define SKAN_VIRTUAL_TIME_H
#include <stdint.h>

/// One thread at a time, a clock that only waiting moves, and random numbers of a seed.
///
/// A program that this is linked into has the C library's threads, locks, clocks, pauses and random numbers replaced, in
/// its own code and in every library. Threads are real, but one of them holds the turn and gives it away only where it waits,
/// so the same seed gives the same order. Time passes when all threads wait: it goes on to the first moment that one waits for.

/// Begins. To be called once, before the first other thread, at a moment of the clock on the wall in Unix nanoseconds.
void virtual_time_begin(uint64_t seed, int64_t wall_nanoseconds);

/// Nanoseconds since the beginning.
int64_t virtual_time_elapsed(void);

/// Lets time pass at once, as on machines that sleep: what was due meanwhile is late.
void virtual_time_skip(int64_t nanoseconds);

/// Gives the turn to any thread that can go on, which may be this one.
void virtual_time_yield(void);

/// How often the turn went to another thread, and a number that every such decision changes: two runs whose numbers are equal
/// took the same decisions.
uint64_t virtual_time_switches(void);
uint64_t virtual_time_trace(void);

/// Runs before the process ends because every thread waits for another one.
void virtual_time_on_deadlock(void (*report)(void));
#endif
