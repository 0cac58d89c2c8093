#ifndef SKAN_CCURL_SHIM_H
#define SKAN_CCURL_SHIM_H
#include <curl/curl.h>

/// `curl_easy_setopt` is a macro around a variadic function, which Swift cannot call; one function for each type.
static inline CURLcode skan_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// As above, for options that take a text; libcurl keeps its own copy of all but the body.
static inline CURLcode skan_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

/// As above: the body, which has to outlive the transfer, and its length.
static inline CURLcode skan_curl_set_body(CURL *handle, const char *body, size_t length) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t) length);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body) : code;
}

/// As above: the headers, which have to outlive the transfer.
static inline CURLcode skan_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static size_t skan_curl_discard(char *bytes, size_t size, size_t count, void *nothing) {
  (void) bytes;
  (void) nothing;
  return size * count;
}

/// As above: what the other side says is read and let go, so that it never stands on standard output.
static inline CURLcode skan_curl_discard_answer(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, skan_curl_discard);
}

/// `curl_easy_getinfo` is variadic too.
static inline long skan_curl_status(CURL *handle) {
  long status = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
#endif
