// The registry of cases.
#include "harness/suite/cases.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "harness/suite/clauses.hpp"
#include "harness/suite/own_cases.hpp"

namespace assay {
namespace {

struct Registry {
  std::vector<std::pair<std::string_view, void (*)()>> blocks;
  std::string_view prefix;
  std::vector<Case> cases;
};

Registry& registry() {
  static Registry instance;
  return instance;
}

/// The first of two cases with one id; the end if there are none.
std::vector<Case>::const_iterator twin_in(const std::vector<Case>& sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end(),
                            [](const Case& a, const Case& b) { return a.id == b.id; });
}

void refuse_duplicate_ids(const std::vector<Case>& sorted) {
  const auto twin = twin_in(sorted);
  if (twin != sorted.end()) throw std::logic_error("two cases are called " + twin->id);
}

std::vector<Case> collect() {
  Registry& all = registry();
  for (const auto& [prefix, block] : all.blocks) {
    all.prefix = prefix;
    block();
  }
  std::sort(all.cases.begin(), all.cases.end(),
            [](const Case& a, const Case& b) { return a.id < b.id; });
  refuse_duplicate_ids(all.cases);
  return std::move(all.cases);
}

/// The storage of all_cases().
std::vector<Case>& collected() {
  static std::vector<Case> cases = collect();
  return cases;
}

std::map<std::string, std::string>& own_folders() {
  static std::map<std::string, std::string> folders;
  return folders;
}

std::string in_words(const Place& place) { return place.file + ":" + std::to_string(place.line); }

Case& case_at(std::size_t index) { return registry().cases.at(index); }

}  // namespace

Place place_of(const std::source_location& where) {
  std::string_view file = where.file_name();  // relative: the build maps its own folder away
  // Compilers that are called with relative names run in the build folder.
  while (file.starts_with("../")) file.remove_prefix(3);
  return {std::string(file), where.line()};
}

bool Applicability::admits(const Contract& contract) const {
  return contract.release >= since && contract.release <= until &&
         (!device_rules || *device_rules == contract.device_rules) &&
         (!deviations || *deviations == contract.deviations) &&
         except != std::pair(contract.release, contract.device_rules);
}

CaseOptions& CaseOptions::since(Release release) {
  case_at(index_).applies.since = release;
  return *this;
}

CaseOptions& CaseOptions::until(Release release) {
  case_at(index_).applies.until = release;
  return *this;
}

CaseOptions& CaseOptions::only(DeviceRules rules) {
  case_at(index_).applies.device_rules = rules;
  return *this;
}

CaseOptions& CaseOptions::only(Deviations deviations) {
  case_at(index_).applies.deviations = deviations;
  return *this;
}

CaseOptions& CaseOptions::except(Release release, DeviceRules rules) {
  case_at(index_).applies.except = {release, rules};
  return *this;
}

CaseOptions& CaseOptions::fresh() {
  case_at(index_).fresh = true;
  return *this;
}

CaseOptions& CaseOptions::full() {
  case_at(index_).full = true;
  return *this;
}

CaseOptions& CaseOptions::reach(Reach reach) {
  case_at(index_).reach = reach;
  return *this;
}

CaseOptions& CaseOptions::unless(Property property) {
  case_at(index_).unless.push_back(property);
  return *this;
}

Reach reach_of(const Case& test) {
  if (test.reach) return *test.reach;
  Reach furthest = Reach::kTraining;
  for (const std::string& id : test.clauses) {
    if (const Clause* clause = find_clause(id)) furthest = std::max(furthest, clause->reach);
  }
  return furthest;
}

CaseOptions conformance(std::string_view name, std::vector<std::string> clauses,
                        std::function<void(Session&)> body, std::source_location where) {
  Registry& all = registry();
  all.cases.push_back({std::string(all.prefix) + "/" + std::string(name),
                       std::move(clauses),
                       {},
                       false,
                       false,
                       std::move(body),
                       place_of(where)});
  return CaseOptions(all.cases.size() - 1);
}

CaseOptions on_cuda(std::string_view name, std::vector<std::string> clauses,
                    std::function<void(Session&)> body, std::source_location where) {
  return conformance(name, std::move(clauses), std::move(body), where).only(DeviceRules::kCuda);
}

const std::vector<Case>& all_cases() { return collected(); }

void add_own_cases(std::vector<Case> cases, const std::string& folder) {
  const auto has_lower_id = [](const Case& a, const Case& b) { return a.id < b.id; };
  std::vector<Case> all = collected();
  const auto old_count = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), cases.begin(), cases.end());
  // Stable, so that of two cases with one id the later one is refused.
  std::stable_sort(all.begin() + old_count, all.end(), has_lower_id);
  std::inplace_merge(all.begin(), all.begin() + old_count, all.end(), has_lower_id);
  const auto taken = twin_in(all);
  if (taken != all.end()) {
    const Case& test = *std::next(taken);
    throw TakenId(in_words(test.where) + ": the id '" + test.id + "' is taken by the case at " +
                  in_words(taken->where));
  }
  for (const Case& test : cases) own_folders()[test.id] = folder;
  collected() = std::move(all);
}

std::string own_folder_of(const std::string& case_id) {
  const auto found = own_folders().find(case_id);
  return found == own_folders().end() ? "" : found->second;
}

bool is_recorded(const Case& test) {
  const std::string& file = test.where.file;
  return own_folder_of(test.id).empty() && !file.empty() && !file.ends_with(".cpp");
}

bool detail::add_cases(std::string_view prefix, void (*block)()) {
  registry().blocks.emplace_back(prefix, block);
  return true;
}

}  // namespace assay
