// Reads suites/faults/*.toml.
#include "harness/suite/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

#include "harness/suite/runner/selection.hpp"
#include "harness/suite/toml.hpp"

namespace assay {
namespace {

[[noreturn]] void refuse(const Fault& fault, std::string_view why) {
  throw std::runtime_error(fmt::format("{}: fault '{}': {}", fault.file, fault.name, why));
}

void read_clauses(const toml::table& table, Fault& fault) {
  const toml::array* clauses = table["clauses"].as_array();
  if (clauses == nullptr || clauses->empty()) refuse(fault, "'clauses' must be a list of ids");
  for (const toml::node& clause : *clauses) {
    const auto id = clause.value<std::string>();
    if (!id) refuse(fault, "'clauses' must be a list of ids");
    fault.clauses.push_back(*id);
  }
}

FaultChange change_from(const toml::table& table, const Fault& fault) {
  const auto text = [&](std::string_view key) {
    const auto found = table[key].value<std::string>();
    if (!found)
      refuse(fault,
             fmt::format("a change needs 'file', 'was' and 'becomes'; '{}' is missing", key));
    return *found;
  };
  return {text("file"), text("was"), text("becomes")};
}

/// A row is a single change, or has a list of changes.
void read_changes(const toml::table& table, Fault& fault) {
  const toml::array* changes = table["change"].as_array();
  if (changes == nullptr) {
    if (table.contains("file")) fault.changes.push_back(change_from(table, fault));
    return;
  }
  for (const toml::node& change : *changes) {
    if (!change.is_table()) refuse(fault, "'change' must be tables");
    fault.changes.push_back(change_from(*change.as_table(), fault));
  }
}

Fault fault_from(const toml::node& node, std::string_view name) {
  Fault fault;
  fault.file = fmt::format("{}:{}", name, node.source().begin.line);
  const toml::table* table = node.as_table();
  if (table == nullptr) refuse(fault, "is not a table");
  fault.name = (*table)["name"].value_or(std::string());
  fault.what = (*table)["what"].value_or(std::string());
  fault.seen = (*table)["seen"].value_or(std::string());
  fault.perturbed = (*table)["perturbed"].value_or(false);
  if (fault.name.empty()) refuse(fault, "'name' is missing");
  if (fault.what.empty()) refuse(fault, "'what' is missing");
  read_clauses(*table, fault);
  read_changes(*table, fault);
  if (const auto text = (*table)["contract"].value<std::string>()) {
    fault.contract = contract_from_text(*text);
    if (!fault.contract) refuse(fault, "'" + *text + "' is not a contract");
  }
  return fault;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(std::move(line));
  return lines;
}

void refuse_duplicate_names(const std::vector<Fault>& sorted) {
  const auto twin = std::adjacent_find(
      sorted.begin(), sorted.end(),
      [](const Fault& left, const Fault& right) { return left.name == right.name; });
  if (twin != sorted.end()) refuse(*twin, "the name is taken twice");
}

using FaultsOfSubjects = std::map<std::string, std::vector<Fault>>;

FaultsOfSubjects by_subject(std::vector<Fault> faults) {
  FaultsOfSubjects sorted;
  for (Fault& fault : faults) sorted[fault.subject].push_back(std::move(fault));
  return sorted;
}

std::vector<Fault> collect() {
  std::vector<Fault> faults;
  for (const EmbeddedFile& file : suite_data()) {
    if (!file.name.starts_with("faults/")) continue;
    std::vector<Fault> more = faults_from_toml(file.text, file.name);
    std::move(more.begin(), more.end(), std::back_inserter(faults));
  }
  std::sort(faults.begin(), faults.end(),
            [](const Fault& left, const Fault& right) { return left.name < right.name; });
  refuse_duplicate_names(faults);
  return faults;
}

}  // namespace

std::vector<Fault> faults_from_toml(std::string_view text, std::string_view name) {
  std::vector<Fault> faults;
  const toml::table file = toml_from(text, name);
  const toml::array* list = file["fault"].as_array();
  if (list == nullptr) throw std::runtime_error(fmt::format("{}: holds no [[fault]]", name));
  const std::string subject = file["subject"].value_or(std::string("reference"));
  for (const toml::node& node : *list) {
    faults.push_back(fault_from(node, name));
    faults.back().subject = subject;
  }
  return faults;
}

std::string diff_of(const FaultChange& change) {
  const std::vector<std::string> was = lines_of(change.was);
  const std::vector<std::string> becomes = lines_of(change.becomes);
  const auto [gone, come] = std::mismatch(was.begin(), was.end(), becomes.begin(), becomes.end());
  const auto [gone_end, come_end] =
      std::mismatch(was.rbegin(), std::make_reverse_iterator(gone), becomes.rbegin(),
                    std::make_reverse_iterator(come));

  std::string text = change.file + "\n";
  const auto add = [&](char sign, auto first, auto last) {
    for (; first != last; ++first) text += fmt::format("{} {}\n", sign, *first);
  };
  add(' ', was.begin(), gone);
  add('-', gone, gone_end.base());
  add('+', come, come_end.base());
  add(' ', gone_end.base(), was.end());
  return text;
}

const std::vector<Fault>& all_faults(const std::string& subject) {
  static const FaultsOfSubjects faults = by_subject(collect());
  static const std::vector<Fault> none;
  const auto found = faults.find(subject);
  return found == faults.end() ? none : found->second;
}

const Fault* find_fault(std::string_view name, const std::string& subject) {
  const std::vector<Fault>& faults = all_faults(subject);
  const auto found = std::find_if(faults.begin(), faults.end(),
                                  [&](const Fault& fault) { return fault.name == name; });
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace assay
