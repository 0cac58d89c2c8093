#ifndef SKAN_CCURL_SHIM_H
#define SKAN_CCURL_SHIM_H
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

/// `curl_easy_setopt` is a macro around a variadic function, which Swift cannot call; one function for each type.
static inline CURLcode skan_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// As above, for options that take a text, of which libcurl keeps its own copy.
static inline CURLcode skan_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

/// As above: the body, of which libcurl keeps its own copy, and its length.
static inline CURLcode skan_curl_set_body(CURL *handle, const char *body, size_t length) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t) length);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, body) : code;
}

/// As above: the headers, which have to outlive the transfer.
static inline CURLcode skan_curl_set_headers(CURL *handle, struct curl_slist *headers) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

/// What is known of an answer while it comes.
struct skan_curl_answer {
  /// Bytes of its body, of which as many as that are read and no more.
  size_t bytes, most;
  /// Whether its head is whole, which is not so where the other side closes within it.
  int has_head;
  /// The first bytes of its body, and how many of them there are.
  char text[200];
  size_t text_bytes;
  /// Whether the body is kept until somebody takes it; what is not taken is freed with `skan_curl_forget_body`.
  int keeps_body;
  char *kept;
  size_t kept_bytes, kept_room;
};

static inline void skan_curl_forget_body(struct skan_curl_answer *answer) {
  free(answer->kept);
  answer->kept = NULL;
  answer->kept_bytes = answer->kept_room = 0;
}

/// Keeps the next bytes; 0 where there is no memory for them.
static int skan_curl_keep(struct skan_curl_answer *answer, const char *bytes, size_t length) {
  if (answer->kept_bytes + length > answer->kept_room) {
    size_t room = 2 * (answer->kept_bytes + length);
    if (room < 65536) room = 65536;
    char *longer = realloc(answer->kept, room);
    if (!longer) return 0;
    answer->kept = longer;
    answer->kept_room = room;
  }
  memcpy(answer->kept + answer->kept_bytes, bytes, length);
  answer->kept_bytes += length;
  return 1;
}

static size_t skan_curl_take_body(char *bytes, size_t size, size_t count, void *context) {
  struct skan_curl_answer *answer = context;
  size_t space = sizeof answer->text - answer->text_bytes;
  size_t taken = size * count < space ? size * count : space;
  memcpy(answer->text + answer->text_bytes, bytes, taken);
  answer->text_bytes += taken;
  answer->bytes += size * count;
  if (answer->bytes > answer->most) return 0;
  if (answer->keeps_body && size * count > 0 && !skan_curl_keep(answer, bytes, size * count)) return 0;
  return size * count;
}

static size_t skan_curl_take_line(char *line, size_t size, size_t count, void *context) {
  struct skan_curl_answer *answer = context;
  size_t length = size * count;
  // A head ends with an empty line, and a provisional one (1xx) has another head after it.
  if (length > 0 && (line[0] == '\r' || line[0] == '\n')) answer->has_head = 1;
  if (length > 5 && strncmp(line, "HTTP/", 5) == 0) answer->has_head = 0;
  return length;
}

/// As above: what the other side says is let go, so that it never stands on standard output; what is known of it goes
/// to `answer`, which has to outlive the transfer.
static inline CURLcode skan_curl_set_answer(CURL *handle, struct skan_curl_answer *answer) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, skan_curl_take_body);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, answer);
  if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, skan_curl_take_line);
  return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_HEADERDATA, answer) : code;
}

/// `curl_easy_getinfo` is variadic too.
static inline long skan_curl_status(CURL *handle) {
  long status = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

/// As above: texts that belong to the handle, or NULL.
static inline const char *skan_curl_text_info(CURL *handle, CURLINFO info) {
  char *text = NULL;
  return curl_easy_getinfo(handle, info, &text) == CURLE_OK ? text : NULL;
}

/// As above: how long the transfer took, in microseconds.
static inline long long skan_curl_microseconds(CURL *handle) {
  curl_off_t time = 0;
  return curl_easy_getinfo(handle, CURLINFO_TOTAL_TIME_T, &time) == CURLE_OK ? (long long) time : 0;
}

/// As above: the certificates that the other side showed, its own first; they belong to the handle. NULL for none.
static inline struct curl_certinfo *skan_curl_certificates(CURL *handle) {
  struct curl_certinfo *chain = NULL;
  return curl_easy_getinfo(handle, CURLINFO_CERTINFO, &chain) == CURLE_OK ? chain : NULL;
}

/// As above: the seconds of Retry-After, or those until its date; 0 where the answer has none.
static inline long long skan_curl_retry_after(CURL *handle) {
  curl_off_t seconds = 0;
  return curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds) == CURLE_OK ? (long long) seconds : 0;
}

/// `curl_multi_setopt` is variadic too.
static inline CURLMcode skan_curl_set_number_of_many(CURLM *many, CURLMoption option, long value) {
  return curl_multi_setopt(many, option, value);
}

/// The next transfer that has ended, and how; NULL for none.
static inline CURL *skan_curl_next_ended(CURLM *many, CURLcode *code) {
  int left;
  for (CURLMsg *message; (message = curl_multi_info_read(many, &left));) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}
#endif
