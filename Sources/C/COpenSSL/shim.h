#ifndef SKAN_COPENSSL_SHIM_H
#define SKAN_COPENSSL_SHIM_H
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/obj_mac.h>
#include <openssl/opensslv.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

/// `EVP_EC_gen` is a macro over a variadic call, which Swift cannot see.
static inline EVP_PKEY *skan_ec_generate(const char *curve) { return EVP_EC_gen(curve); }

/// `OPENSSL_free` is a macro.
static inline void skan_openssl_free(void *pointer) { OPENSSL_free(pointer); }

#if !defined(OPENSSL_NO_DEPRECATED_3_0) && OPENSSL_VERSION_MAJOR < 4
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/// Computes the table of the group's generator; 1 when done.
///
/// `EC_GROUP_precompute_mult` is deprecated without a successor, so a library may lack it.
static inline int skan_group_precompute(EC_GROUP *group, BN_CTX *context) {
  return EC_GROUP_precompute_mult(group, context);
}

/// Gives X and Z of a point whose affine x is X / Z^2; 1 when done.
///
/// `EC_POINT_get_Jprojective_coordinates_GFp` spares the division, and is deprecated as well.
static inline int skan_point_get_x_z(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BIGNUM *z,
                                     BN_CTX *context) {
  return EC_POINT_get_Jprojective_coordinates_GFp(group, point, x, NULL, z, context);
}
#pragma GCC diagnostic pop
#else
/// 0: this library has no tables for a generator of one's own.
static inline int skan_group_precompute(EC_GROUP *group, BN_CTX *context) {
  (void)group, (void)context;
  return 0;
}

/// 0: this library does not show how it stores points.
static inline int skan_point_get_x_z(const EC_GROUP *group, const EC_POINT *point, BIGNUM *x, BIGNUM *z,
                                     BN_CTX *context) {
  (void)group, (void)point, (void)x, (void)z, (void)context;
  return 0;
}
#endif
#endif
