#ifndef SKAN_CFUZZER_SHIM_H
#define SKAN_CFUZZER_SHIM_H
#include <stddef.h>
#include <stdint.h>
// Source: LLVM, "libFuzzer", section "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
#endif
