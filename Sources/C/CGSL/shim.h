#ifndef SKAN_CGSL_SHIM_H
#define SKAN_CGSL_SHIM_H
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>

/// The method is a global variable in C, which Swift can't tell from one that changes.
static inline gsl_min_fminimizer *skan_brent_minimizer(void) {
  return gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
}
#endif
