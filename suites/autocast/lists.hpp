// The operators that autocast handles: the rule of each, and arguments to call it with.
#pragma once

#include <string>
#include <vector>

#include "suites/autocast/casting.hpp"

namespace assay::suites {

struct ListedRule {
  std::string op;
  std::string device;
  std::string policy;
};

/// The rules of this release for all devices, sorted by operator.
const std::vector<ListedRule>& listed_rules(Release release);
std::vector<ListedRule> listed_rules(Release release, const std::string& device);

/// False for operators that need named dimensions, RNNs, and devices that cases do not have.
bool can_be_called(const std::string& op);

/// Arguments for this operator: the first floating tensor has the dtype `first`, the others
/// `rest`.
std::vector<Value> arguments_of_listed(const Target& target, const std::string& op, Dtype first,
                                       Dtype rest);

}  // namespace assay::suites
