// The operators that autocast knows: which rule each has where, and how each is called.
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

/// The rules of that release, of all devices, sorted by operator.
const std::vector<ListedRule>& listed_rules(Release release);
std::vector<ListedRule> listed_rules(Release release, const std::string& device);

/// Not those that need names of dimensions, RNNs, and a device that cases do not have.
bool can_be_called(const std::string& op);

/// Arguments of such an operator: the first floating tensor has the type `first`, the others have
/// `rest`.
std::vector<Value> arguments_of_listed(const Target& target, const std::string& op, Dtype first,
                                       Dtype rest);

}  // namespace assay::suites
