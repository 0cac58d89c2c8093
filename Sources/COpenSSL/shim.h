#ifndef SKAN_COPENSSL_SHIM_H
#define SKAN_COPENSSL_SHIM_H
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>

/// `EVP_EC_gen` is a macro over a variadic call, which Swift cannot see.
static inline EVP_PKEY *skan_ec_generate(const char *curve) { return EVP_EC_gen(curve); }

/// `OPENSSL_free` is a macro.
static inline void skan_openssl_free(void *pointer) { OPENSSL_free(pointer); }
#endif
