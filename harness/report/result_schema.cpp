// Validates records against their schemas.
#include "harness/report/result_schema.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "harness/protocol/tree/json_tree.hpp"

namespace assay::report {
namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// More errors would not help.
constexpr std::size_t kMostComplaints = 5;

std::unique_ptr<valijson::Schema> compiled(std::string_view name) {
  for (const EmbeddedFile& file : result_schemas()) {
    if (!file.name.ends_with(name)) continue;
    auto made = std::make_unique<valijson::Schema>();
    const Json text = Json::parse(file.text);
    valijson::SchemaParser().populateSchema(Adapter(text), *made);
    return made;
  }
  throw std::logic_error(std::string(name) + " is not compiled in");
}

const valijson::Schema& schema_named(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<valijson::Schema>, std::less<>> schemas;
  const std::scoped_lock lock(mutex);
  const auto found = schemas.find(name);
  if (found != schemas.end()) return *found->second;
  return *schemas.emplace(name, compiled(name)).first->second;
}

/// `<root>`, `[subjects]`, `[0]` becomes `/subjects/0`.
std::string pointer_of(const std::vector<std::string>& context) {
  std::string pointer;
  for (const std::string& part : context) {
    if (part.starts_with('[')) pointer += '/' + part.substr(1, part.size() - 2);
  }
  return pointer.empty() ? "/" : pointer;
}

/// Innermost positions first, because errors at outer ones follow from them.
std::vector<std::string> complaints_in(valijson::ValidationResults& results) {
  std::vector<std::pair<std::size_t, std::string>> found;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    found.emplace_back(error.context.size(), pointer_of(error.context) + ": " + error.description);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> complaints;
  for (auto& [depth, text] : found) {
    if (complaints.size() < kMostComplaints) complaints.push_back(std::move(text));
  }
  return complaints;
}

}  // namespace

std::vector<std::string> complaints_about(std::string_view schema, std::string_view text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::exception&) {
    tree_from_json(text);  // throws with a readable message
    throw;
  }
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema_named(schema), Adapter(json), &results)) return {};
  return complaints_in(results);
}

}  // namespace assay::report
