// Which of the subjects of two records are the same: the rule of every comparison.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace assay::report {

struct SubjectName {
  std::string typed;  ///< unique on its side
  std::string own;    ///< what it calls itself; empty where nobody knows
};

struct NamePairs {
  /// Own names that more than one of a side have.
  struct Unclear {
    std::string own;
    std::size_t before, after;  ///< how many
  };
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< places in the two lists
  std::vector<Unclear> unclear;
};

/// First those of one name as typed; then, of the others, those that call themselves the same, as
/// one program in two folders does. Where they stand in the lists says nothing.
NamePairs pair_names(const std::vector<SubjectName>& before, const std::vector<SubjectName>& after);

}  // namespace assay::report
