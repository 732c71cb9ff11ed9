// What is known of the difference between two samples, and the verdict on it against a margin.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "harness/stats/interval.hpp"

namespace assay::stats {

struct Contrast {
  double shift;            ///< Hodges and Lehmann's, of the second sample against the first
  Interval interval;       ///< of the shift, at 1 - alpha
  Interval inner;          ///< at 1 - 2 * alpha: what two one-sided tests at alpha leave possible
  double p;                ///< two-sided: Mann and Whitney's, or of pairs Wilcoxon's
  std::size_t first_size;  ///< of the samples
  std::size_t second_size;
  double alpha;
  bool paired = false;
};

/// Throws std::invalid_argument for an empty sample, a NaN, or an alpha outside (0, 0.5).
Contrast contrast_of(std::span<const double> first, std::span<const double> second,
                     double alpha = 0.05);

/// The same where value i of both samples was measured under the same conditions, so that what
/// disturbs both alike cancels: from the differences of the pairs. Throws std::invalid_argument for
/// samples of different sizes, too.
Contrast paired_contrast_of(std::span<const double> first, std::span<const double> second,
                            double alpha = 0.05);

/// Each pair of samples has exactly one.
enum class Finding {
  kLower,      ///< confirmed, and the interval lies wholly below the margin
  kHigher,     ///< confirmed, and the interval lies wholly above the margin
  kSame,       ///< equivalent: the inner interval lies inside the margin; there may be a difference
  kChanged,    ///< confirmed, but its interval reaches over an end of the margin
  kUndecided,  ///< neither a difference nor equivalence is shown
};

/// `adjusted_p` is the contrast's p after correction for all tests made together; a difference is
/// confirmed where it is at most alpha. The margin is a shift: for ratios, the logarithm of one.
Finding judge(const Contrast& contrast, double adjusted_p, double margin);

/// Whether a difference, however large, could be confirmed by samples of these sizes, once the test
/// is corrected for `tests` tests made together.
bool can_be_confirmed(const Contrast& contrast, std::size_t tests);

/// Beyond it the question is not one of a few processes more.
inline constexpr std::size_t kMostMore = 1000;

/// About how many more values a side would probably decide what is undecided, if the estimate and
/// the spread stayed as they are and `tests` tests were corrected for together. Nothing where that
/// takes more than kMostMore: the spread is wide, or the shift lies at the edge of the margin.
std::optional<std::size_t> more_to_decide(const Contrast& contrast, double margin,
                                          std::size_t tests);

}  // namespace assay::stats
