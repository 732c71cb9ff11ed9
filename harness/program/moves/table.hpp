// Moves defined by an area's table, for commands whose arguments can be drawn independently.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/program/moves.hpp"

namespace assay {

/// A name of a kind in a table, and its generator.
struct DrawKind {
  std::string_view word;
  Value (*draw)(Draft&);
};

/// `moves`, plus those given by `"draw"` in harness/protocol/areas/AREA.json
/// (scripts/cmake/areas.py defines the language). It may use the names in `kinds` and a few common
/// ones; an unknown name throws std::logic_error.
std::vector<Move> with_table(std::string_view area, std::span<const DrawKind> kinds,
                             std::span<const Move> moves);

}  // namespace assay
