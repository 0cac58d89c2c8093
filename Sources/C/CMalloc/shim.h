#ifndef SKAN_CMALLOC_SHIM_H
#define SKAN_CMALLOC_SHIM_H
// Swift's module of the C library leaves this header out.
#include <malloc.h>

/// `renameat2`, which this C library declares for GNU sources only, so that not every build sees it.
extern int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

/// Gives a file a name that no other file has; fails with EEXIST where one has it.
static inline int skan_rename_new(const char *from, const char *to) {
  return renameat2(-100 /* AT_FDCWD */, from, -100, to, 1 /* RENAME_NOREPLACE */);
}
#endif
