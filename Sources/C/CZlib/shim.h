#ifndef SKAN_CZLIB_SHIM_H
#define SKAN_CZLIB_SHIM_H
#include <zlib.h>

/// `inflateInit2` is a macro; 15 + 16 asks zlib for gzip's header and nothing else.
static inline int skan_inflate_start(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// `deflateInit2` is a macro; 15 + 16 asks zlib to write gzip's header.
static inline int skan_deflate_start(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
#endif
