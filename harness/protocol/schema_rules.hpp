// A compiled JSON Schema, and its violations by a value. Hides valijson.
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

/// Takes longer than validating. Throws if `schema` is not valid.
Rules compile_rules(const nlohmann::json& schema);

/// Empty if `value` is valid. Thread-safe.
std::vector<RuleBreach> breaches(const Rules& rules, const nlohmann::json& value);

}  // namespace assay
