// What the module Numerics needs of Boost's headers, as functions of C.
#include "boost_numerics.h"

// Fused multiplication gives other last digits, and with them other draws, on the processors that have it.
#pragma clang fp contract(off)
#define BOOST_DISABLE_ASSERTS
// What has no answer is NaN or infinite and throws nothing. Numbers are `double` throughout: `long double` differs between machines.
#define BOOST_MATH_DOMAIN_ERROR_POLICY ignore_error
#define BOOST_MATH_POLE_ERROR_POLICY ignore_error
#define BOOST_MATH_OVERFLOW_ERROR_POLICY ignore_error
#define BOOST_MATH_EVALUATION_ERROR_POLICY ignore_error
#define BOOST_MATH_ROUNDING_ERROR_POLICY ignore_error
#define BOOST_MATH_INDETERMINATE_RESULT_ERROR_POLICY ignore_error
#define BOOST_MATH_PROMOTE_DOUBLE_POLICY false

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/random/binomial_distribution.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/poisson_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>

namespace {
/// The bits as a generator of Boost.
struct Generator {
  using result_type = uint64_t;
  skan_bits bits;
  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() { return UINT64_MAX; }
  uint64_t operator()() const { return bits.next(bits.state); }
};

template <class Distribution> auto draw(Distribution distribution, skan_bits bits) noexcept {
  Generator generator{bits};
  return distribution(generator);
}
}

double skan_chi_square_tail(double statistic, double freedom) noexcept {
  return boost::math::gamma_q(freedom / 2, statistic / 2);
}

double skan_student_tail(double statistic, double freedom) noexcept {
  return cdf(complement(boost::math::students_t(freedom), statistic));
}

double skan_normal_quantile(double probability) noexcept { return quantile(boost::math::normal(), probability); }

double skan_draw_normal(skan_bits bits) noexcept { return draw(boost::random::normal_distribution<>(), bits); }

double skan_draw_exponential(skan_bits bits) noexcept { return draw(boost::random::exponential_distribution<>(), bits); }

double skan_draw_gamma(skan_bits bits, double shape) noexcept {
  // Boost's own way takes seven times as long. Source: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
  if (!(shape < INFINITY)) return shape;
  Generator generator{bits};
  boost::random::normal_distribution<> normal;
  boost::random::uniform_01<> uniform;
  double factor = shape < 1 ? std::pow(uniform(generator), 1 / shape) : 1;
  double d = (shape < 1 ? shape + 1 : shape) - 1. / 3;
  double c = 1 / std::sqrt(9 * d);
  while (true) {
    double x = normal(generator);
    double root = 1 + c * x;
    if (root <= 0) continue;
    double v = root * root * root;
    double u = uniform(generator);
    if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < x * x / 2 + d * (1 - v + std::log(v))) return factor * d * v;
  }
}

int64_t skan_draw_poisson(skan_bits bits, double mean) noexcept {
  if (mean < 10) {
    // Boost's way for small means never ends for some uniform numbers next to 1. This counts arrivals until the mean.
    int64_t count = 0;
    for (double left = mean - skan_draw_exponential(bits); left > 0; left -= skan_draw_exponential(bits)) ++count;
    return count;
  }
  return draw(boost::random::poisson_distribution<int64_t>(mean), bits);
}

int64_t skan_draw_binomial(skan_bits bits, int64_t trials, double probability) noexcept {
  return draw(boost::random::binomial_distribution<int64_t>(trials, probability), bits);
}

double skan_minimum(
    double low, double high, double (*function)(double place, void *context), void *context, double *value) noexcept {
  boost::uintmax_t steps = 200;
  auto at = [=](double place) { return function(place, context); };
  // About 3e-8 of the place; a parabola shows no more in numbers of 53 bits.
  auto [place, lowest] = boost::math::tools::brent_find_minima(at, low, high, 26, steps);
  *value = lowest;
  return place;
}
