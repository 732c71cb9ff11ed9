// Moves that an area's table says: most commands need no more than a value for each argument.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/program/moves.hpp"

namespace assay {

/// A word of a table's draws, and what it draws.
struct DrawKind {
  std::string_view word;
  Value (*draw)(Draft&);
};

/// `moves`, and those that `"draw"` says in harness/protocol/areas/AREA.json
/// (scripts/cmake/areas.py has its language). Its words are `kinds` and the few that all areas
/// share; an unknown one throws std::logic_error.
std::vector<Move> with_table(std::string_view area, std::span<const DrawKind> kinds,
                             std::span<const Move> moves);

}  // namespace assay
