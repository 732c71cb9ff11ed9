// The happens-before relation between the points of an execution, transitively closed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::litmus {

class HappensBefore {
 public:
  explicit HappensBefore(std::size_t points)
      : points_(points), words_((points + 63) / 64), after_(points * words_) {}

  /// Adds `first` before `second`. Returns false and changes nothing if that would close a cycle.
  bool add(std::size_t first, std::size_t second);
  bool before(std::size_t first, std::size_t second) const {
    return (after_[first * words_ + second / 64] >> (second % 64) & 1) != 0;
  }

 private:
  std::size_t points_;
  std::size_t words_;
  std::vector<std::uint64_t> after_;  ///< for each point, a bit for each later point
};

}  // namespace assay::litmus
