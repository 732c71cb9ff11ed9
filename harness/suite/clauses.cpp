// Reads the index of clauses and extracts each clause's text from its chapter.
#include "harness/suite/clauses.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_map>

#include "harness/protocol/embedded.hpp"
#include "harness/protocol/records.hpp"

namespace assay {
namespace {

constexpr std::array<std::string_view, 4> kWitnesses{"waist", "unit", "race", "none"};

std::string_view embedded(std::string_view name) {
  for (const EmbeddedFile& file : clause_texts()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("the program holds no text of clauses named " + std::string(name));
}

Witness witness_named(std::string_view name) {
  const auto found = std::find(kWitnesses.begin(), kWitnesses.end(), name);
  if (found == kWitnesses.end()) throw std::logic_error("no such witness: " + std::string(name));
  return static_cast<Witness>(found - kWitnesses.begin());
}

Reach reach_in(const Record& record) {
  const std::string name = text_in(record, "reach");
  if (name.empty()) return Reach::kTraining;
  if (const auto reach = reach_named(name)) return *reach;
  throw std::logic_error("no such reach: " + name);
}

std::string reason_of(const Record& record) {
  for (const char* name : {"reason", "test", "program"}) {
    if (auto text = text_in(record, name); !text.empty()) return text;
  }
  return {};
}

Clause clause_of(const Record& record) {
  Clause clause;
  clause.id = text_in(record, "id");
  clause.title = text_in(record, "title");
  clause.file = text_in(record, "file");
  clause.text = clause_text(embedded(clause.file), clause.id);
  clause.area = text_in(record, "area");
  for (const std::string& name : texts_in(record, "releases")) {
    clause.releases.push_back(release_named(name).value());
  }
  clause.comparator = text_in(record, "comparator");
  clause.witness = witness_named(text_in(record, "witness"));
  clause.reason = reason_of(record);
  clause.reach = reach_in(record);
  clause.no_fault = text_in(record, "no_fault");
  return clause;
}

std::vector<Clause> read_index() {
  std::vector<Clause> clauses;
  for (const Record& record : records_from_json(embedded("index.json"), "clauses")) {
    clauses.push_back(clause_of(record));
  }
  return clauses;
}

std::string_view without_blank_end(std::string_view text) {
  const auto last = text.find_last_not_of(" \n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

/// The position of the line that begins with `opening`.
std::size_t find_line(std::string_view text, const std::string& opening) {
  if (text.starts_with(opening)) return 0;
  const auto found = text.find("\n" + opening);
  return found == std::string_view::npos ? found : found + 1;
}

}  // namespace

std::string_view name_of(Witness witness) { return kWitnesses[static_cast<std::size_t>(witness)]; }

bool Clause::holds_for(Release release) const {
  return releases.empty() || std::find(releases.begin(), releases.end(), release) != releases.end();
}

const std::vector<Clause>& all_clauses() {
  static const std::vector<Clause> clauses = read_index();
  return clauses;
}

const Clause* find_clause(std::string_view id) {
  static const auto by_id = [] {
    std::unordered_map<std::string_view, const Clause*> map;
    for (const Clause& clause : all_clauses()) map.emplace(clause.id, &clause);
    return map;
  }();
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : found->second;
}

const std::vector<std::string>& offered_areas() {
  static const auto areas = strings_from_json(embedded("index.json"), "offered");
  return areas;
}

bool is_offered(const Clause& clause) {
  const auto& areas = offered_areas();
  return std::find(areas.begin(), areas.end(), clause.area) != areas.end();
}

std::string clause_text(std::string_view text, std::string_view id) {
  const std::string name(id);
  if (const auto start = find_line(text, "### " + name + " "); start != std::string_view::npos) {
    const std::string_view rest = text.substr(start);
    const auto end = std::min({rest.find("\n#", 1), rest.find("\n---\n"), rest.size()});
    return std::string(without_blank_end(rest.substr(0, end)));
  }
  for (const std::string& opening : {"- **" + name + " ", "| " + name + " |"}) {
    const auto start = find_line(text, opening);
    if (start == std::string_view::npos) continue;
    return std::string(text.substr(start, text.find('\n', start) - start));
  }
  return {};
}

}  // namespace assay
