#ifndef SKAN_CGMP_SHIM_H
#define SKAN_CGMP_SHIM_H
#include <gmp.h>

// GMP's functions are macros for other names, which Swift cannot see.

static inline void skan_integer_init(mpz_t number) { mpz_init(number); }
static inline void skan_integer_clear(mpz_t number) { mpz_clear(number); }

/// Reads bytes, the most significant first.
static inline void skan_integer_read(mpz_t number, const unsigned char *bytes, size_t count) {
  mpz_import(number, count, 1, 1, 1, 0, bytes);
}

/// Sets `inverse` to 1 / `number` modulo `modulus`; 0 where there is none.
static inline int skan_integer_invert(mpz_t inverse, const mpz_t number, const mpz_t modulus) {
  return mpz_invert(inverse, number, modulus);
}

/// How many bytes a number takes.
static inline size_t skan_integer_size(const mpz_t number) { return (mpz_sizeinbase(number, 2) + 7) / 8; }

/// Writes bytes, the most significant first.
static inline void skan_integer_write(const mpz_t number, unsigned char *bytes) {
  mpz_export(bytes, NULL, 1, 1, 1, 0, number);
}
#endif
