#ifndef SKAN_FAULT_VFS_H
#define SKAN_FAULT_VFS_H
#include <stdint.h>

/// A folder whose SQLite files live on a disk that fails on demand and can lose its power.
///
/// Files outside of every such folder are SQLite's own business and behave as always.
typedef struct fault_world fault_world;

/// What can fail.
enum { FAULT_OPEN = 1, FAULT_READ = 2, FAULT_WRITE = 4, FAULT_SYNC = 8, FAULT_TRUNCATE = 16, FAULT_DELETE = 32 };

/// Makes a world of an existing folder; the seed decides what a power cut leaves.
fault_world *fault_world_make(const char *folder, uint64_t seed);

/// Forgets a world; no file of it may be open.
void fault_world_free(fault_world *world);

/// Lets operations of some kinds fail with an SQLite code, after that many that go well, that many times.
///
/// A shortened write leaves its first half behind. A failed sync leaves any part of what was to be synced, and what
/// it lost is not written by the next sync either.
void fault_world_fail(fault_world *world, int kinds, int64_t after, int64_t times, int code, int shortens);

/// Cuts the power at a write, sync, truncation or deletion, after that many that go well.
void fault_world_cut(fault_world *world, int64_t after);

/// Cuts the power now.
void fault_world_darken(fault_world *world);

/// Has each sync take so many microseconds longer, until it is called again.
void fault_world_slow(fault_world *world, unsigned microseconds);

/// Whether the power is gone: every operation fails then.
int fault_world_is_dark(fault_world *world);

/// How many operations failed on demand so far.
int64_t fault_world_failures(fault_world *world);

/// How many writes, syncs, truncations and deletions there were so far.
int64_t fault_world_operations(fault_world *world);

/// Brings the power back: files hold what was synced, and any part of what was not, in sectors of 512 bytes.
///
/// No file of the world may be open. Returns 0, or -1 where a file can't be written.
int fault_world_restore(fault_world *world);
#endif
