#ifndef SKAN_CGNUTLS_SHIM_H
#define SKAN_CGNUTLS_SHIM_H
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

/// The library's codes are macros and constants of several types; Swift gets one type.
enum {
  skan_tls_mismatch = GNUTLS_E_CERTIFICATE_KEY_MISMATCH,
  skan_tls_warning = GNUTLS_E_WARNING_ALERT_RECEIVED,
  skan_tls_client = GNUTLS_CLIENT | GNUTLS_NO_SIGNAL,
};

/// Reads the certificates of a PEM file; the order has to be from the server's own to its issuers'.
static inline int skan_tls_read_chain(
    gnutls_x509_crt_t **chain, unsigned int *count, const void *bytes, unsigned int size) {
  gnutls_datum_t text = { (unsigned char *) bytes, size };
  return gnutls_x509_crt_list_import2(
      chain, count, &text, GNUTLS_X509_FMT_PEM, GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED);
}

/// Frees what `skan_tls_read_chain` made; `gnutls_free` is a variable, which Swift must not read.
static inline void skan_tls_free_chain(gnutls_x509_crt_t *chain, unsigned int count) {
  for (unsigned int i = 0; i < count; i++) gnutls_x509_crt_deinit(chain[i]);
  gnutls_free(chain);
}

/// Puts the certificates and the key of two PEM files into credentials, and checks that they belong together.
static inline int skan_tls_set_pair(
    gnutls_certificate_credentials_t credentials, const void *certificates, unsigned int certificates_size,
    const void *key, unsigned int key_size) {
  gnutls_datum_t chain_text = { (unsigned char *) certificates, certificates_size };
  gnutls_datum_t key_text = { (unsigned char *) key, key_size };
  return gnutls_certificate_set_x509_key_mem(credentials, &chain_text, &key_text, GNUTLS_X509_FMT_PEM);
}
#endif
