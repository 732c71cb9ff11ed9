// The clauses that cases witness: texts and index, compiled into the program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/text/reach.hpp"

namespace assay {

/// How a clause can be verified.
enum class Witness : std::uint8_t {
  kWaist,  ///< by cases, through the protocol
  kUnit,   ///< by a named unit test of each implementation
  kRace,   ///< by a named program under a race detector
  kNone,   ///< not yet; see `reason`
};

std::string_view name_of(Witness witness);

struct Clause {
  std::string id;     ///< `AMP-105`, `ORD-A3`, `LT-15a`
  std::string title;  ///< one line, without the id
  std::string text;   ///< Markdown, heading included
  std::string file;   ///< relative to suites/spec
  std::string area;
  std::vector<Release> releases;  ///< the releases to which it applies; empty: all
  std::string comparator;         ///< `bits`, `nan_class`, `ulp`, `bound`, `tokens`, `set`, `text`
  Witness witness = Witness::kWaist;
  std::string reason;  ///< for kNone: why; for kUnit and kRace: the test's or program's name
  Reach reach = Reach::kTraining;
  std::string no_fault;  ///< why no fault of this clause is possible; empty if one is

  bool holds_for(Release release) const;
};

/// In the order of the specification.
const std::vector<Clause>& all_clauses();

/// Null if there is no clause with this id.
const Clause* find_clause(std::string_view id);

/// The areas that some subject offers. Clauses of other areas are not counted yet.
const std::vector<std::string>& offered_areas();
bool is_offered(const Clause& clause);

/// The part of `text` that states the clause: from its heading to the next one, or the bullet or
/// table row that begins with its id. Empty if there is none.
std::string clause_text(std::string_view text, std::string_view id);

}  // namespace assay
