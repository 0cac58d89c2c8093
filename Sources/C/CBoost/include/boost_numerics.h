#ifndef SKAN_BOOST_NUMERICS_H
#define SKAN_BOOST_NUMERICS_H
#include <stdint.h>

#ifdef __cplusplus
#define SKAN_NOEXCEPT noexcept
extern "C" {
#else
#define SKAN_NOEXCEPT
#endif
#pragma clang assume_nonnull begin

/// Where random bits come from: 64 of them with each call.
typedef struct {
  uint64_t (*next)(void *state);
  void *state;
} skan_bits;

// Nothing here throws, and what has no answer is NaN.
double skan_chi_square_tail(double statistic, double freedom) SKAN_NOEXCEPT;
double skan_student_tail(double statistic, double freedom) SKAN_NOEXCEPT;
double skan_normal_quantile(double probability) SKAN_NOEXCEPT;

double skan_draw_normal(skan_bits bits) SKAN_NOEXCEPT;
double skan_draw_exponential(skan_bits bits) SKAN_NOEXCEPT;
double skan_draw_gamma(skan_bits bits, double shape) SKAN_NOEXCEPT;
int64_t skan_draw_poisson(skan_bits bits, double mean) SKAN_NOEXCEPT;
int64_t skan_draw_binomial(skan_bits bits, int64_t trials, double probability) SKAN_NOEXCEPT;

/// Returns where a function is lowest between two places, and its value there.
double skan_minimum(
    double low, double high, double (*function)(double place, void *context), void *context, double *value) SKAN_NOEXCEPT;

#pragma clang assume_nonnull end
#ifdef __cplusplus
}
#endif
#endif
