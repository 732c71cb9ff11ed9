// The litmus rows, as data: suites/litmus/*.toml, compiled in.
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
  /// Nothing for a row whose program the language cannot say.
  std::optional<litmus::Program> program;
  litmus::Permitted allowed;
  /// The form that shows one and the same outcome, `shows`; nothing for an observational row.
  std::optional<litmus::Program> gated;
  litmus::Outcome shows;
  std::vector<std::string> axioms;
  /// Names of the wrong models that the gated form is there for.
  std::vector<std::string> kills;

  std::vector<std::string> clauses() const;
};

/// Throws std::runtime_error that names the file and the row.
std::vector<LitmusRow> litmus_rows_from_toml(std::string_view text, std::string_view name);

/// Those of the rows' table, in its order.
const std::vector<LitmusRow>& litmus_rows();
/// More programs in gated form only, for what no row of the table shows.
const std::vector<LitmusRow>& litmus_axiom_rows();

}  // namespace assay
