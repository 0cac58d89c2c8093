#include "fault_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512 };

/// A write or truncation that no sync has made durable yet.
typedef struct pending {
  struct pending *next;
  int is_truncation;
  int64_t offset;
  int64_t length;
  unsigned char bytes[];
} pending;

/// What the disk surely holds of a file, and what it may hold besides.
typedef struct image {
  struct image *next;
  char *path;
  /// Whether it is deleted: 1 as long as the folder was not synced since, 2 for good.
  int is_deleted;
  /// Whether SQLite syncs the folder together with it, because the file is new.
  int syncs_folder;
  unsigned char *bytes;
  int64_t size;
  pending *first;
  pending *last;
} image;

struct fault_world {
  struct fault_world *next;
  char *folder;
  uint64_t random_state;
  image *images;
  int kinds;
  int64_t after;
  int64_t times;
  int code;
  int shortens;
  int64_t until_cut;
  /// Microseconds that each sync takes besides.
  unsigned slowness;
  int is_dark;
  int64_t failures;
  int64_t operations;
};

typedef struct fault_file {
  sqlite3_file base;
  fault_world *world;
  image *image;
  sqlite3_file *real;
} fault_file;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static fault_world *worlds;
static sqlite3_vfs *real_vfs;
static sqlite3_vfs fault;

static uint64_t throw_dice(fault_world *world) {
  uint64_t z = (world->random_state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void *must(void *memory) {
  if (!memory) abort();
  return memory;
}

// Images

static void forget_pending(image *image) {
  while (image->first) {
    pending *gone = image->first;
    image->first = gone->next;
    free(gone);
  }
  image->last = NULL;
}

static void add_pending(image *image, int is_truncation, int64_t offset, const void *bytes, int64_t length) {
  pending *added = must(calloc(1, sizeof *added + (size_t)length));
  added->is_truncation = is_truncation;
  added->offset = offset;
  added->length = length;
  if (length) memcpy(added->bytes, bytes, (size_t)length);
  if (image->last) image->last->next = added; else image->first = added;
  image->last = added;
}

static void resize(image *image, int64_t size) {
  if (size > image->size) {
    image->bytes = must(realloc(image->bytes, (size_t)size));
    memset(image->bytes + image->size, 0, (size_t)(size - image->size));
  }
  image->size = size;
}

static void apply_range(image *image, const pending *write, int64_t start, int64_t end) {
  if (end > image->size) resize(image, end);
  memcpy(image->bytes + start, write->bytes + (start - write->offset), (size_t)(end - start));
}

/// Makes everything durable that waits for it; without a sync only what random numbers let through.
static void settle(fault_world *world, image *image, int is_synced) {
  for (pending *next = image->first; next; next = next->next) {
    uint64_t fate = is_synced ? 0 : throw_dice(world) % 3;
    if (fate == 1) continue;
    int64_t end = next->offset + next->length;
    if (next->is_truncation) {
      if (next->offset < image->size) image->size = next->offset;
      else resize(image, next->offset);
    } else if (fate == 0) {
      apply_range(image, next, next->offset, end);
    } else {
      for (int64_t at = next->offset; at < end;) {
        int64_t stop = (at / SECTOR + 1) * SECTOR;
        if (stop > end) stop = end;
        if (throw_dice(world) & 1) apply_range(image, next, at, stop);
        at = stop;
      }
    }
  }
  forget_pending(image);
}

static image *image_of(fault_world *world, const char *path) {
  for (image *found = world->images; found; found = found->next)
    if (!strcmp(found->path, path)) return found;
  image *made = must(calloc(1, sizeof *made));
  made->path = must(strdup(path));
  made->next = world->images;
  world->images = made;
  FILE *file = fopen(path, "rb");
  if (file) {
    fseek(file, 0, SEEK_END);
    resize(made, ftell(file));
    rewind(file);
    if (made->size && fread(made->bytes, 1, (size_t)made->size, file) != (size_t)made->size) abort();
    fclose(file);
  }
  return made;
}

static void forget_images(fault_world *world) {
  while (world->images) {
    image *gone = world->images;
    world->images = gone->next;
    forget_pending(gone);
    free(gone->bytes);
    free(gone->path);
    free(gone);
  }
}

// Fates

enum { WELL = 0, DARK = -1, CUT = -2 };

/// Decides on one operation: goes well, meets no power, meets the cut, or fails with a positive code.
static int fate_of(fault_world *world, int kind) {
  if (world->is_dark) return DARK;
  if (kind & (FAULT_WRITE | FAULT_SYNC | FAULT_TRUNCATE | FAULT_DELETE)) {
    world->operations++;
    if (world->until_cut >= 0 && world->until_cut-- == 0) {
      world->is_dark = 1;
      return CUT;
    }
  }
  if (world->times > 0 && (world->kinds & kind) && world->after-- <= 0) {
    world->times--;
    world->failures++;
    return world->code;
  }
  return WELL;
}

static int locked_fate(fault_world *world, int kind) {
  pthread_mutex_lock(&lock);
  int fate = fate_of(world, kind);
  pthread_mutex_unlock(&lock);
  return fate;
}

// Files

static int file_close(sqlite3_file *file) { fault_file *f = (fault_file *)file; return f->real->pMethods->xClose(f->real); }

static int file_read(sqlite3_file *file, void *into, int count, sqlite3_int64 offset) {
  fault_file *f = (fault_file *)file;
  int fate = locked_fate(f->world, FAULT_READ);
  if (fate) return fate > 0 ? fate : SQLITE_IOERR_READ;
  return f->real->pMethods->xRead(f->real, into, count, offset);
}

static int file_write(sqlite3_file *file, const void *from, int count, sqlite3_int64 offset) {
  fault_file *f = (fault_file *)file;
  pthread_mutex_lock(&lock);
  int fate = fate_of(f->world, FAULT_WRITE);
  int code = fate > 0 ? fate : fate ? SQLITE_IOERR_WRITE : SQLITE_OK;
  int written = fate == WELL || fate == CUT ? count : fate > 0 && f->world->shortens ? count / 2 : 0;
  if (written) {
    add_pending(f->image, 0, offset, from, written);
    int real = f->real->pMethods->xWrite(f->real, from, written, offset);
    if (!code) code = real;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  fault_file *f = (fault_file *)file;
  pthread_mutex_lock(&lock);
  int fate = fate_of(f->world, FAULT_TRUNCATE);
  int code = fate > 0 ? fate : fate ? SQLITE_IOERR_TRUNCATE : SQLITE_OK;
  if (fate == WELL || fate == CUT) {
    add_pending(f->image, 1, size, NULL, 0);
    int real = f->real->pMethods->xTruncate(f->real, size);
    if (!code) code = real;
  }
  pthread_mutex_unlock(&lock);
  return code;
}

static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  fault_file *f = (fault_file *)file;
  if (f->world->slowness) usleep(f->world->slowness);
  pthread_mutex_lock(&lock);
  int fate = fate_of(f->world, FAULT_SYNC);
  if (fate >= 0) settle(f->world, f->image, fate == WELL);
  if (fate == WELL && f->image->syncs_folder) {
    f->image->syncs_folder = 0;
    for (image *gone = f->world->images; gone; gone = gone->next)
      if (gone->is_deleted) gone->is_deleted = 2;
  }
  pthread_mutex_unlock(&lock);
  return fate > 0 ? fate : fate ? SQLITE_IOERR_FSYNC : SQLITE_OK;
}

#define REAL ((fault_file *)file)->real
static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return REAL->pMethods->xFileSize(REAL, size); }
static int file_lock(sqlite3_file *file, int level) { return REAL->pMethods->xLock(REAL, level); }
static int file_unlock(sqlite3_file *file, int level) { return REAL->pMethods->xUnlock(REAL, level); }
static int file_check(sqlite3_file *file, int *out) { return REAL->pMethods->xCheckReservedLock(REAL, out); }
static int file_control(sqlite3_file *file, int op, void *arg) { return REAL->pMethods->xFileControl(REAL, op, arg); }
static int file_sector(sqlite3_file *file) { return REAL->pMethods->xSectorSize(REAL); }
static int file_traits(sqlite3_file *file) { return REAL->pMethods->xDeviceCharacteristics(REAL); }
static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **out) {
  return REAL->pMethods->xShmMap(REAL, page, size, extend, out);
}
static int shm_lock(sqlite3_file *file, int offset, int n, int flags) {
  return REAL->pMethods->xShmLock(REAL, offset, n, flags);
}
static void shm_barrier(sqlite3_file *file) { REAL->pMethods->xShmBarrier(REAL); }
static int shm_unmap(sqlite3_file *file, int deletes) { return REAL->pMethods->xShmUnmap(REAL, deletes); }

static const sqlite3_io_methods methods = {
  2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_check,
  file_control, file_sector, file_traits, shm_map, shm_lock, shm_barrier, shm_unmap, NULL, NULL,
};

// The file system

static fault_world *world_of(const char *path) {
  if (!path) return NULL;
  for (fault_world *world = worlds; world; world = world->next)
    if (!strncmp(path, world->folder, strlen(world->folder)) && path[strlen(world->folder)] == '/') return world;
  return NULL;
}

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  pthread_mutex_lock(&lock);
  fault_world *world = world_of(path);
  int fate = world ? fate_of(world, FAULT_OPEN) : WELL;
  image *image = NULL;
  if (world && !fate) {
    image = image_of(world, path);
    if (flags & SQLITE_OPEN_CREATE) {
      if (image->is_deleted) image->size = 0;
      image->is_deleted = 0;
      image->syncs_folder = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) && access(path, F_OK) != 0;
    }
  }
  pthread_mutex_unlock(&lock);
  if (!world) return real_vfs->xOpen(real_vfs, path, file, flags, out);
  file->pMethods = NULL;
  if (fate) return fate > 0 ? fate : SQLITE_CANTOPEN;
  fault_file *f = (fault_file *)file;
  f->world = world;
  f->image = image;
  f->real = (sqlite3_file *)(f + 1);
  int code = real_vfs->xOpen(real_vfs, path, f->real, flags, out);
  if (f->real->pMethods) file->pMethods = &methods;
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs) {
  (void)vfs;
  pthread_mutex_lock(&lock);
  fault_world *world = world_of(path);
  int fate = world ? fate_of(world, FAULT_DELETE) : WELL;
  if (world && fate == WELL) {
    image *image = image_of(world, path);
    forget_pending(image);
    // A deletion that is not synced may be undone by the cut.
    if (syncs) image->size = 0;
    image->is_deleted = syncs ? 2 : 1;
  }
  pthread_mutex_unlock(&lock);
  if (fate) return fate > 0 ? fate : SQLITE_IOERR_DELETE;
  return real_vfs->xDelete(real_vfs, path, 0);
}

static int vfs_access(sqlite3_vfs *vfs, const char *path, int flags, int *out) {
  (void)vfs;
  return real_vfs->xAccess(real_vfs, path, flags, out);
}

static int vfs_path(sqlite3_vfs *vfs, const char *path, int count, char *out) {
  (void)vfs;
  return real_vfs->xFullPathname(real_vfs, path, count, out);
}

static int vfs_random(sqlite3_vfs *vfs, int n, char *out) { (void)vfs; return real_vfs->xRandomness(real_vfs, n, out); }
static int vfs_sleep(sqlite3_vfs *vfs, int micros) { (void)vfs; return real_vfs->xSleep(real_vfs, micros); }
static int vfs_time(sqlite3_vfs *vfs, double *out) { (void)vfs; return real_vfs->xCurrentTime(real_vfs, out); }
static int vfs_error(sqlite3_vfs *vfs, int n, char *out) { (void)vfs; return real_vfs->xGetLastError(real_vfs, n, out); }
static int vfs_time64(sqlite3_vfs *vfs, sqlite3_int64 *out) {
  (void)vfs;
  return real_vfs->xCurrentTimeInt64(real_vfs, out);
}

static void set_up(void) {
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs) abort();
  fault = (sqlite3_vfs){
    .iVersion = 2,
    .szOsFile = (int)sizeof(fault_file) + real_vfs->szOsFile,
    .mxPathname = real_vfs->mxPathname,
    .zName = "skan-fault",
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_path,
    .xRandomness = vfs_random,
    .xSleep = vfs_sleep,
    .xCurrentTime = vfs_time,
    .xGetLastError = vfs_error,
    .xCurrentTimeInt64 = vfs_time64,
  };
  if (sqlite3_vfs_register(&fault, 1)) abort();
}

// What tests call

fault_world *fault_world_make(const char *folder, uint64_t seed) {
  pthread_once(&once, set_up);
  fault_world *world = must(calloc(1, sizeof *world));
  world->folder = must(strdup(folder));
  world->random_state = seed;
  world->until_cut = -1;
  pthread_mutex_lock(&lock);
  world->next = worlds;
  worlds = world;
  pthread_mutex_unlock(&lock);
  return world;
}

void fault_world_free(fault_world *world) {
  pthread_mutex_lock(&lock);
  for (fault_world **place = &worlds; *place; place = &(*place)->next)
    if (*place == world) {
      *place = world->next;
      break;
    }
  pthread_mutex_unlock(&lock);
  forget_images(world);
  free(world->folder);
  free(world);
}

void fault_world_fail(fault_world *world, int kinds, int64_t after, int64_t times, int code, int shortens) {
  pthread_mutex_lock(&lock);
  world->kinds = kinds;
  world->after = after;
  world->times = times;
  world->code = code;
  world->shortens = shortens;
  pthread_mutex_unlock(&lock);
}

void fault_world_cut(fault_world *world, int64_t after) {
  pthread_mutex_lock(&lock);
  world->until_cut = after;
  pthread_mutex_unlock(&lock);
}

void fault_world_darken(fault_world *world) {
  pthread_mutex_lock(&lock);
  world->is_dark = 1;
  pthread_mutex_unlock(&lock);
}

void fault_world_slow(fault_world *world, unsigned microseconds) {
  pthread_mutex_lock(&lock);
  world->slowness = microseconds;
  pthread_mutex_unlock(&lock);
}

int fault_world_is_dark(fault_world *world) {
  pthread_mutex_lock(&lock);
  int is_dark = world->is_dark;
  pthread_mutex_unlock(&lock);
  return is_dark;
}

int64_t fault_world_failures(fault_world *world) {
  pthread_mutex_lock(&lock);
  int64_t failures = world->failures;
  pthread_mutex_unlock(&lock);
  return failures;
}

int64_t fault_world_operations(fault_world *world) {
  pthread_mutex_lock(&lock);
  int64_t operations = world->operations;
  pthread_mutex_unlock(&lock);
  return operations;
}

int fault_world_restore(fault_world *world) {
  int result = 0;
  pthread_mutex_lock(&lock);
  for (image *image = world->images; image; image = image->next) {
    settle(world, image, 0);
    char shared[4096];
    snprintf(shared, sizeof shared, "%s-shm", image->path);
    unlink(shared);
    if (image->is_deleted && (image->is_deleted == 2 || (throw_dice(world) & 1))) {
      unlink(image->path);
      continue;
    }
    FILE *file = fopen(image->path, "wb");
    if (!file || (image->size && fwrite(image->bytes, 1, (size_t)image->size, file) != (size_t)image->size)) result = -1;
    if (file && fclose(file)) result = -1;
  }
  forget_images(world);
  world->is_dark = 0;
  world->until_cut = -1;
  world->times = 0;
  pthread_mutex_unlock(&lock);
  return result;
}
