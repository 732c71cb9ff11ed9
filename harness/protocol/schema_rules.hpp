// One JSON Schema, compiled, and what a value breaks of it: all that the project uses of valijson.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace valijson {
class Schema;
}

namespace assay {

using Rules = std::shared_ptr<const valijson::Schema>;

struct RuleBreach {
  std::vector<std::string> context;  ///< from the root: `<root>`, `[with]`, `[lr]`
  std::string description;
};

/// Costs more than checking by it. Throws when `schema` is none.
Rules compile_rules(const nlohmann::json& schema);

/// Empty when `value` keeps every rule. Safe from several threads.
std::vector<RuleBreach> breaches(const Rules& rules, const nlohmann::json& value);

}  // namespace assay
