// Reads suites/litmus/*.toml.
#include "harness/suite/litmus/rows.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "harness/suite/faults.hpp"
#include "harness/suite/toml.hpp"

namespace assay {
namespace {

/// Reads one [[row]].
class RowReader {
 public:
  RowReader(const toml::node& node, std::string_view file)
      : place_(fmt::format("{}:{}", file, node.source().begin.line)) {
    if (node.as_table() == nullptr) refuse("is not a table");
    table_ = node.as_table();
  }

  LitmusRow read() const {
    LitmusRow row;
    row.id = text("id");
    row.name = text("name");
    row.axioms = texts("axioms");
    row.kills = texts("kills");
    row.program = program("program");
    row.gated = program("gated");
    row.allowed.hangs = (*table_)["hangs"].value_or(false);
    for (const std::string& outcome : texts("allowed")) {
      row.allowed.outcomes.insert(litmus::parse_outcome(outcome));
    }
    row.shows = litmus::parse_outcome((*table_)["shows"].value_or(std::string()));
    check(row);
    return row;
  }

 private:
  [[noreturn]] void refuse(std::string_view why) const {
    throw std::runtime_error(fmt::format("{}: a [[row]] {}", place_, why));
  }

  std::string text(std::string_view key) const {
    const auto value = (*table_)[key].value<std::string>();
    if (!value || value->empty()) refuse(fmt::format("needs '{}', a string", key));
    return *value;
  }

  std::vector<std::string> texts(std::string_view key) const {
    std::vector<std::string> list;
    const toml::array* array = (*table_)[key].as_array();
    if (array == nullptr) return list;
    for (const toml::node& node : *array) {
      const auto value = node.value<std::string>();
      if (!value) refuse(fmt::format("has a '{}' that is not a list of texts", key));
      list.push_back(*value);
    }
    return list;
  }

  std::optional<litmus::Program> program(std::string_view key) const {
    const auto value = (*table_)[key].value<std::string>();
    if (!value) return std::nullopt;
    try {
      return litmus::parse(*value);
    } catch (const litmus::BadProgram& error) {
      refuse(fmt::format("has an invalid '{}': {}", key, error.what()));
    }
  }

  void check(const LitmusRow& row) const {
    for (const litmus::Outcome& outcome : row.allowed.outcomes) {
      if (!row.program || outcome.size() != row.program->observations()) {
        refuse("has 'allowed' that does not fit its 'program'");
      }
    }
    if (row.shows.size() != (row.gated ? row.gated->observations() : 0)) {
      refuse("has 'shows' that does not fit its 'gated'");
    }
    if (row.axioms.empty()) refuse("needs 'axioms'");
  }

  std::string place_;
  const toml::table* table_ = nullptr;
};

std::vector<LitmusRow> embedded(std::string_view name) {
  for (const EmbeddedFile& file : suite_data()) {
    if (file.name == name) return litmus_rows_from_toml(file.text, file.name);
  }
  throw std::runtime_error(fmt::format("the program lacks {}", name));
}

}  // namespace

std::vector<std::string> LitmusRow::clauses() const {
  std::vector<std::string> all = axioms;
  if (id.starts_with("LT-")) all.insert(all.begin(), id);
  return all;
}

std::vector<LitmusRow> litmus_rows_from_toml(std::string_view text, std::string_view name) {
  std::vector<LitmusRow> rows;
  const toml::table file = toml_from(text, name);
  const toml::array* list = file["row"].as_array();
  if (list == nullptr) throw std::runtime_error(fmt::format("{}: holds no [[row]]", name));
  for (const toml::node& node : *list) rows.push_back(RowReader(node, name).read());
  return rows;
}

const std::vector<LitmusRow>& litmus_rows() {
  static const std::vector<LitmusRow> rows = embedded("litmus/rows.toml");
  return rows;
}

const std::vector<LitmusRow>& litmus_axiom_rows() {
  static const std::vector<LitmusRow> rows = embedded("litmus/axioms.toml");
  return rows;
}

}  // namespace assay
