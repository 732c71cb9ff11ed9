// Which subjects of two records are the same: the rule of all comparisons.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace assay::report {

struct SubjectName {
  std::string typed;  ///< unique on its side
  std::string own;    ///< the name in its hello; empty if unknown
};

struct NamePairs {
  /// Self-reported names that occur several times on one side.
  struct Unclear {
    std::string own;
    std::size_t before, after;  ///< numbers of subjects
  };
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< indices in the two lists
  std::vector<Unclear> unclear;
};

/// Pairs equal names as typed; then, among the others, equal self-reported names, such as one
/// program in two folders. The order of the lists does not matter.
NamePairs pair_names(const std::vector<SubjectName>& before, const std::vector<SubjectName>& after);

}  // namespace assay::report
