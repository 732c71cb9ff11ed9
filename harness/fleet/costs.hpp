// Compares the costs of the GPUs of one group.
#pragma once

#include <vector>

#include "harness/fleet/judge.hpp"

namespace assay::fleet {

/// What a group's costs say of a GPU.
struct CostFindings {
  std::vector<Difference> confirmed;
  std::vector<Difference> perhaps;   ///< beyond the margin and the usual noise, and not confirmed
  std::vector<std::string> missing;  ///< quantities that most others have
  std::array<std::optional<Place>, kFamilies> places;
  std::size_t compared = 0;
};

struct GroupCosts {
  std::vector<CostFindings> gpus;  ///< in the order of the members
  std::size_t quantities = 0, tests = 0;
};

/// `members` are at least kFewestMembers GPUs with costs.
GroupCosts compare_costs(const std::vector<const Gpu*>& members, const JudgeOptions& options);

}  // namespace assay::fleet
