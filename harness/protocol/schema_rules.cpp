// Calls valijson; a separate file, because its templates compile slowly.
#include "harness/protocol/schema_rules.hpp"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace assay {

using Adapter = valijson::adapters::NlohmannJsonAdapter;

Rules compile_rules(const nlohmann::json& schema) {
  auto compiled = std::make_shared<valijson::Schema>();
  valijson::SchemaParser().populateSchema(Adapter(schema), *compiled);
  return compiled;
}

std::vector<RuleBreach> breaches(const Rules& rules, const nlohmann::json& value) {
  valijson::Validator validator;
  valijson::ValidationResults results;
  std::vector<RuleBreach> found;
  if (validator.validate(*rules, Adapter(value), &results)) return found;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) found.push_back({error.context, error.description});
  return found;
}

}  // namespace assay
