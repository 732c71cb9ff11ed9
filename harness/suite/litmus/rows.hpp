// The litmus rows: data of suites/litmus/*.toml, compiled in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check/ordering.hpp"

namespace assay {

struct LitmusRow {
  std::string id;    ///< `LT-04`
  std::string name;  ///< `message passing`
  /// Nothing for a row whose program the language cannot express.
  std::optional<litmus::Program> program;
  litmus::Permitted allowed;
  /// The form with a single outcome, `shows`; nothing for an observational row.
  std::optional<litmus::Program> gated;
  litmus::Outcome shows;
  std::vector<std::string> axioms;
  /// The names of the wrong models that the gated form detects.
  std::vector<std::string> kills;

  std::vector<std::string> clauses() const;
};

/// Throws std::runtime_error with the file and the row.
std::vector<LitmusRow> litmus_rows_from_toml(std::string_view text, std::string_view name);

/// The rows of the table, in its order.
const std::vector<LitmusRow>& litmus_rows();
/// Additional programs, in gated form only, for axioms that no row of the table covers.
const std::vector<LitmusRow>& litmus_axiom_rows();

}  // namespace assay
