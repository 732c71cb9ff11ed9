// Implements the happens-before relation as a bit matrix.
#include "harness/check/happens_before.hpp"

namespace assay::litmus {

bool HappensBefore::add(std::size_t first, std::size_t second) {
  if (first == second || before(second, first)) return false;
  if (before(first, second)) return true;
  for (std::size_t point = 0; point < points_; ++point) {
    if (point != first && !before(point, first)) continue;
    std::uint64_t* const row = &after_[point * words_];
    for (std::size_t word = 0; word < words_; ++word) row[word] |= after_[second * words_ + word];
    row[second / 64] |= std::uint64_t{1} << (second % 64);
  }
  return true;
}

}  // namespace assay::litmus
