#ifndef SKAN_CPOSTGRESQL_SHIM_H
#define SKAN_CPOSTGRESQL_SHIM_H
#include <libpq-fe.h>

// The codes of a result's fields are character constants, which the Swift importer skips. Each text belongs to the
// result and is NULL where the server sent none.

/// The SQLSTATE: five letters and digits.
static inline const char *skan_pq_state(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/// `ERROR`, `FATAL`, `PANIC`, `WARNING` and others, in English whatever the server's language is.
static inline const char *skan_pq_severity(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
}

static inline const char *skan_pq_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

static inline const char *skan_pq_detail(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
}
#endif
