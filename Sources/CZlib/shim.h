#ifndef SKAN_CZLIB_SHIM_H
#define SKAN_CZLIB_SHIM_H
#include <zlib.h>

/// `inflateInit2` is a macro; 15 + 32 asks zlib to recognise a gzip or zlib header by itself.
static inline int skan_inflate_start(z_stream *stream) { return inflateInit2(stream, 15 + 32); }

/// `deflateInit2` is a macro; 15 + 16 asks zlib to write a gzip header.
static inline int skan_deflate_start(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
#endif
