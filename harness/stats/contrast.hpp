// The difference between two samples with its uncertainty, a verdict for a given margin, and the
// correction for a family of such tests.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "harness/stats/sample.hpp"

namespace assay::stats {

struct Contrast {
  double shift;            ///< Hodges-Lehmann estimate: second sample minus first
  Interval interval;       ///< of the shift, at 1 - alpha
  Interval inner;          ///< at 1 - 2 * alpha, for two one-sided tests at alpha
  double p;                ///< two-sided: Mann-Whitney, or Wilcoxon for pairs
  std::size_t first_size;  ///< sizes of the samples
  std::size_t second_size;
  double alpha;
  bool paired = false;
};

/// Throws std::invalid_argument for an empty sample, a NaN, or an alpha outside (0, 0.5).
Contrast contrast_of(std::span<const double> first, std::span<const double> second,
                     double alpha = 0.05);

/// The same for paired samples, where values i were measured under the same conditions: computed
/// from the pairs' differences, so that common disturbances cancel. Throws std::invalid_argument
/// for samples of different sizes, too.
Contrast paired_contrast_of(std::span<const double> first, std::span<const double> second,
                            double alpha = 0.05);

/// Every contrast has exactly one finding.
enum class Finding {
  kLower,      ///< confirmed; the whole interval is below the margin
  kHigher,     ///< confirmed; the whole interval is above the margin
  kSame,       ///< equivalent: the inner interval is within the margin
  kChanged,    ///< confirmed, but the interval overlaps an end of the margin
  kUndecided,  ///< neither a difference nor equivalence is shown
};

/// `adjusted_p` is the contrast's p-value corrected for all tests of the family; a difference is
/// confirmed if it is at most alpha. The margin is a shift: for ratios, a logarithm.
Finding judge(const Contrast& contrast, double adjusted_p, double margin);

/// Whether samples of these sizes could confirm any difference, however large, after correction for
/// `tests` tests.
bool can_be_confirmed(const Contrast& contrast, std::size_t tests);

/// The limit of `more_to_decide`, beyond which more processes are not a practical answer.
inline constexpr std::size_t kMostMore = 1000;

/// The estimated number of additional values per side that would decide an undecided contrast, if
/// estimate and spread stay the same and `tests` tests are corrected for. Nothing above kMostMore:
/// the spread is wide, or the shift is close to the margin.
std::optional<std::size_t> more_to_decide(const Contrast& contrast, double margin,
                                          std::size_t tests);

/// Holm's adjusted p-values, in the order of `p`. Rejecting those that are at most alpha keeps the
/// probability of any false rejection at most alpha, for any dependence between the tests.
std::vector<double> holm(std::span<const double> p);

}  // namespace assay::stats
