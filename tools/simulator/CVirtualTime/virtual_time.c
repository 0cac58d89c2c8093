#define _GNU_SOURCE
#include "virtual_time.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/rand.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// All state below is touched by the thread that holds the turn alone, and the turn is passed by a semaphore, so it needs no lock.

typedef struct thread {
  int number;
  pthread_t real;
  sem_t turn;
  void *(*body)(void *);
  void *argument;
  /// What it waits for, by address; NULL for nothing but a moment.
  const void *waits_for;
  int is_waiting;
  /// The moment at which it goes on anyway; INT64_MAX for never.
  int64_t until;
  int was_woken;
  int has_ended;
  int is_detached;
} thread;

/// A mutex, or a rwlock whose readers are `readers`, that someone holds or held.
typedef struct held {
  const void *address;
  thread *owner;
  int count;
  int readers;
  int waiting;
} held;

enum { MOST_THREADS = 65536, LOCKS = 1 << 14 };

static thread *threads[MOST_THREADS];
static int thread_count;
static __thread thread *self;
static held locks[LOCKS];
static int lock_count;
static int64_t elapsed;
static const int64_t start = 3600000000000;
static int64_t wall_start;
static uint64_t order_state = 1, random_state = 2, trace = 14695981039346656037u, switches;
static void (*report_deadlock)(void);
static pthread_key_t last_destructor;

static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void *must(void *memory) {
  if (!memory) abort();
  return memory;
}

static void *real_function(const char *name) { return must(dlsym(RTLD_NEXT, name)); }

// The turn

static thread *add_thread(void) {
  if (thread_count == MOST_THREADS) abort();
  thread *added = must(calloc(1, sizeof *added));
  added->number = thread_count;
  sem_init(&added->turn, 0, 0);
  threads[thread_count++] = added;
  return added;
}

/// The calling thread; the first one that asks is the program's.
static thread *me(void) {
  if (!self) {
    if (thread_count) abort();
    self = add_thread();
  }
  return self;
}

static int can_go_on(const thread *t) { return !t->has_ended && (!t->is_waiting || t->was_woken || t->until <= elapsed); }

static void end_deadlocked(void) {
  fprintf(stderr, "every thread waits for another one, %lld ms after the beginning\n", (long long)((elapsed - start) / 1000000));
  if (report_deadlock) report_deadlock();
  _exit(70);
}

/// Threads that have not ended, so that old ones cost nothing.
static thread *alive[MOST_THREADS];
static int alive_count;

/// Which thread is next; time goes on where none can.
static thread *choose(void) {
  for (;;) {
    int count = 0;
    thread *chosen = NULL;
    int64_t first = INT64_MAX;
    for (int i = 0; i < alive_count; i++) {
      thread *t = alive[i];
      if (can_go_on(t)) {
        count++;
        if (next_random(&order_state) % (uint64_t)count == 0) chosen = t;
      } else if (t->until < first) {
        first = t->until;
      }
    }
    if (chosen) return chosen;
    if (first == INT64_MAX) end_deadlocked();
    elapsed = first;
  }
}

static void note_switch(const thread *to) {
  switches++;
  trace = (trace ^ (uint64_t)to->number) * 1099511628211u;
  trace = (trace ^ (uint64_t)elapsed) * 1099511628211u;
}

static void wait_for_turn(thread *t) {
  while (sem_wait(&t->turn) != 0) {}
}

/// Passes the turn on, and returns when it is back.
static void pass_turn(void) {
  thread *mine = me(), *next = choose();
  if (next == mine) return;
  note_switch(next);
  sem_post(&next->turn);
  wait_for_turn(mine);
}

/// Waits until another thread wakes those that wait for an address, or until a moment; returns whether it was woken.
static int wait_on(const void *address, int64_t until) {
  thread *mine = me();
  mine->waits_for = address;
  mine->is_waiting = 1;
  mine->was_woken = 0;
  mine->until = until;
  pass_turn();
  mine->is_waiting = 0;
  mine->waits_for = NULL;
  mine->until = INT64_MAX;
  return mine->was_woken;
}

/// Wakes threads that wait for an address: all of them, or one by chance.
static void wake(const void *address, int all) {
  int count = 0;
  thread *chosen = NULL;
  for (int i = 0; i < alive_count; i++) {
    thread *t = alive[i];
    if (!t->is_waiting || t->was_woken || t->waits_for != address) continue;
    if (all) t->was_woken = 1;
    else if (next_random(&order_state) % (uint64_t)++count == 0) chosen = t;
  }
  if (chosen) chosen->was_woken = 1;
}

// Threads

static void end_thread(thread *t) {
  t->has_ended = 1;
  for (int i = 0; i < alive_count; i++)
    if (alive[i] == t) {
      memmove(&alive[i], &alive[i + 1], (size_t)(alive_count - i - 1) * sizeof *alive);
      alive_count--;
      break;
    }
  wake(t, 1);
  thread *next = choose();
  note_switch(next);
  sem_post(&next->turn);
}

/// Runs with the other destructors of the thread's own values, and gives the turn away after all of them.
static void pass_turn_at_end(void *left) {
  intptr_t rounds = (intptr_t)left;
  if (rounds < PTHREAD_DESTRUCTOR_ITERATIONS) pthread_setspecific(last_destructor, (void *)(rounds + 1));
  else end_thread(self);
}

static void *run_thread(void *argument) {
  self = argument;
  wait_for_turn(self);
  pthread_setspecific(last_destructor, (void *)1);
  return self->body(self->argument);
}

int pthread_create(pthread_t *into, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  static int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!create) create = real_function("pthread_create");
  me();
  thread *made = add_thread();
  made->body = body;
  made->argument = argument;
  made->until = INT64_MAX;
  int code = create(&made->real, attributes, run_thread, made);
  if (code) {
    made->has_ended = 1;
    return code;
  }
  alive[alive_count++] = made;
  *into = made->real;
  pass_turn();
  return 0;
}

static thread *thread_of(pthread_t real) {
  for (int i = thread_count - 1; i >= 0; i--)
    if (threads[i] && pthread_equal(threads[i]->real, real)) return threads[i];
  return NULL;
}

static void forget(thread *t) {
  threads[t->number] = NULL;
}

int pthread_join(pthread_t real, void **result) {
  static int (*join)(pthread_t, void **);
  if (!join) join = real_function("pthread_join");
  thread *other = thread_of(real);
  while (other && !other->has_ended) wait_on(other, INT64_MAX);
  int code = join(real, result);
  if (other) forget(other);
  return code;
}

int pthread_detach(pthread_t real) {
  static int (*detach)(pthread_t);
  if (!detach) detach = real_function("pthread_detach");
  return detach(real);
}

int sched_yield(void) {
  pass_turn();
  return 0;
}

// Locks

static held *place_of(const void *address) {
  size_t place = ((uintptr_t)address >> 4) * 0x9e3779b97f4a7c15u >> 50;
  while (locks[place].address && locks[place].address != address) place = (place + 1) % LOCKS;
  return &locks[place];
}

/// Takes out of the table what no thread holds: most of it is gone by then.
static void sweep(void) {
  static held kept[LOCKS];
  lock_count = 0;
  for (size_t i = 0; i < LOCKS; i++)
    if (locks[i].count || locks[i].readers || locks[i].waiting) kept[lock_count++] = locks[i];
  memset(locks, 0, sizeof locks);
  for (int i = 0; i < lock_count; i++) *place_of(kept[i].address) = kept[i];
  if (lock_count > LOCKS / 2) abort();
}

/// A lock in the table, until the next search.
static held *find(const void *address) {
  held *found = place_of(address);
  if (found->address) return found;
  if (++lock_count > LOCKS / 2) {
    sweep();
    lock_count++;
    found = place_of(address);
  }
  *found = (held){.address = address};
  return found;
}

static held *wait_for(const void *address) {
  find(address)->waiting++;
  wait_on(address, INT64_MAX);
  held *h = find(address);
  h->waiting--;
  return h;
}

static void lock_exclusively(const void *address) {
  thread *mine = me();
  held *h = find(address);
  while ((h->owner && h->owner != mine) || h->readers) h = wait_for(address);
  h->owner = mine;
  h->count++;
}

static int try_lock(const void *address) {
  thread *mine = me();
  held *h = find(address);
  if ((h->owner && h->owner != mine) || h->readers) return EBUSY;
  h->owner = mine;
  h->count++;
  return 0;
}

/// Gives a lock back; returns how often its holder had it.
static int unlock(const void *address) {
  held *h = find(address);
  int count = h->count;
  if (h->readers) h->readers--;
  else if (h->count) h->count--;
  if (!h->readers && !h->count) {
    h->owner = NULL;
    if (h->waiting) wake(address, 1);
  }
  return count;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  lock_exclusively(mutex);
  return 0;
}
int pthread_mutex_trylock(pthread_mutex_t *mutex) { return try_lock(mutex); }
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  unlock(mutex);
  return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  lock_exclusively(lock);
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { return try_lock(lock); }
int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  held *h = find(lock);
  while (h->owner) h = wait_for(lock);
  h->readers++;
  return 0;
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  held *h = find(lock);
  if (h->owner) return EBUSY;
  h->readers++;
  return 0;
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  unlock(lock);
  return 0;
}

int pthread_once(pthread_once_t *control, void (*routine)(void)) {
  int *state = (int *)control;
  // 0 as PTHREAD_ONCE_INIT has it, then under way, then done.
  while (*state == 1) wait_on(control, INT64_MAX);
  if (*state == 0) {
    *state = 1;
    routine();
    *state = 2;
    wake(control, 1);
  }
  return 0;
}

static int wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, int64_t until) {
  int count = find(mutex)->count;
  find(mutex)->count = 1;
  unlock(mutex);
  int was_woken = wait_on(condition, until);
  lock_exclusively(mutex);
  find(mutex)->count = count;
  return was_woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
  wait_for_condition(condition, mutex, INT64_MAX);
  return 0;
}

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec; }

/// Every condition of the product waits by the clock that never jumps.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  return wait_for_condition(condition, mutex, nanoseconds(until));
}
int pthread_cond_signal(pthread_cond_t *condition) {
  wake(condition, 0);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  wake(condition, 1);
  return 0;
}

// Time

static void sleep_for(int64_t wanted) {
  int64_t until = elapsed + (wanted > 0 ? wanted : 0);
  while (elapsed < until) wait_on(NULL, until);
}

int usleep(useconds_t microseconds) {
  sleep_for((int64_t)microseconds * 1000);
  return 0;
}
unsigned sleep(unsigned seconds) {
  sleep_for((int64_t)seconds * 1000000000);
  return 0;
}
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  (void)left;
  sleep_for(nanoseconds(wanted));
  return 0;
}

int clock_gettime(clockid_t clock, struct timespec *into) {
  // Reading takes a microsecond, so that a loop that waits for a moment comes to its end.
  elapsed += 1000;
  int64_t now = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? wall_start + elapsed : elapsed;
  into->tv_sec = now / 1000000000;
  into->tv_nsec = now % 1000000000;
  return 0;
}
int gettimeofday(struct timeval *restrict into, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  into->tv_sec = now.tv_sec;
  into->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *into) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}

// What the machine is

/// Work is divided by the number of processors, which shall be the same everywhere.
long sysconf(int name) {
  static long (*ask)(int);
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) return 2;
  if (!ask) ask = real_function("sysconf");
  return ask(name);
}

// Random numbers

ssize_t getrandom(void *into, size_t count, unsigned flags) {
  (void)flags;
  unsigned char *bytes = into;
  for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)next_random(&random_state);
  return (ssize_t)count;
}
int getentropy(void *into, size_t count) {
  getrandom(into, count, 0);
  return 0;
}
void arc4random_buf(void *into, size_t count) { getrandom(into, count, 0); }

// OpenSSL mixes the time of the processor and numbers of the process into its own.
static int openssl_bytes(unsigned char *into, int count) {
  getrandom(into, (size_t)count, 0);
  return 1;
}
static int openssl_status(void) { return 1; }
static RAND_METHOD openssl_random = {.bytes = openssl_bytes, .pseudorand = openssl_bytes, .status = openssl_status};

// What a simulation calls

void virtual_time_begin(uint64_t seed, int64_t wall_nanoseconds) {
  alive[alive_count++] = me();
  me()->until = INT64_MAX;
  order_state = seed * 2 + 1;
  random_state = seed * 2;
  wall_start = wall_nanoseconds - start;
  // As of a machine that has run for an hour, so that no moment is 0.
  elapsed = start;
  if (RAND_set_rand_method(&openssl_random) != 1) abort();
  if (pthread_key_create(&last_destructor, pass_turn_at_end)) abort();
}

int64_t virtual_time_elapsed(void) { return elapsed - start; }
void virtual_time_skip(int64_t nanoseconds) {
  elapsed += nanoseconds;
  pass_turn();
}
void virtual_time_yield(void) { pass_turn(); }
uint64_t virtual_time_switches(void) { return switches; }
uint64_t virtual_time_trace(void) { return trace; }
void virtual_time_on_deadlock(void (*report)(void)) { report_deadlock = report; }
