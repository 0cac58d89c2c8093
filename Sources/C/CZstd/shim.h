#ifndef SKAN_CZSTD_SHIM_H
#define SKAN_CZSTD_SHIM_H
#include <zstd.h>
#endif
