// What random programs are made of: for each area, how each of its commands is written.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/draft.hpp"

namespace assay {

/// Writes one command, and perhaps what it needs before it. False when that is not possible yet.
using Write = std::function<bool(Draft&)>;

struct Move {
  std::string_view verb;
  int weight = 1;
  Write write = {};
  /// Makes a guard, so it stands in the `enter` of a scope.
  bool guard = false;
};

/// The moves of an area; none when there is no such area.
std::span<const Move> moves_of(std::string_view area);
/// Areas that have moves, in order.
std::vector<std::string> areas_with_moves();

std::span<const Move> core_moves();
std::span<const Move> amp_moves();
std::span<const Move> optim_moves();
std::span<const Move> scaler_moves();
std::span<const Move> dispatch_moves();
std::span<const Move> autocast_moves();
std::span<const Move> autograd_moves();
std::span<const Move> module_moves();
std::span<const Move> memory_moves();
std::span<const Move> runtime_moves();

struct ProgramPlan {
  std::vector<std::string> areas;
  Contract contract;
  std::uint64_t seed = 1;
  /// Verbs that a subject is known to lack.
  std::vector<std::string> avoid = {};
};

/// Program number `index` of the plan: the same whatever was written before.
Block write_program(const ProgramPlan& plan, std::uint64_t index);

/// Commands in it, those inside blocks too.
std::size_t size_of(const Block& program);
/// Does something in it raise inside a scope, on purpose?
bool raises_in_scope(const Block& program);

}  // namespace assay
