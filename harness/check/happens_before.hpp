// "Happens before" among the points of an execution, kept closed under transitivity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::litmus {

class HappensBefore {
 public:
  explicit HappensBefore(std::size_t points)
      : points_(points), words_((points + 63) / 64), after_(points * words_) {}

  /// Puts `first` before `second`. False, and nothing is changed, when that would close a cycle.
  bool add(std::size_t first, std::size_t second);
  bool before(std::size_t first, std::size_t second) const {
    return (after_[first * words_ + second / 64] >> (second % 64) & 1) != 0;
  }

 private:
  std::size_t points_;
  std::size_t words_;
  std::vector<std::uint64_t> after_;  ///< for each point a bit for each that it happens before
};

}  // namespace assay::litmus
