// The building blocks of random programs: how to generate each command of an area.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/draft.hpp"

namespace assay {

/// Adds one command, and prerequisites if necessary. Returns false if that is not possible yet.
using Write = std::function<bool(Draft&)>;

struct Move {
  std::string_view verb;
  int weight = 1;
  Write write = {};
  /// It makes a guard, so it is placed in the `enter` of a scope.
  bool guard = false;
};

/// The moves of an area; empty if there is no such area.
std::span<const Move> moves_of(std::string_view area);
/// The areas that have moves, ordered.
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
  /// Verbs that a subject is known not to support.
  std::vector<std::string> avoid = {};
  /// Programs use so many devices of an accelerator.
  int devices = 2;
  /// Leaves out what the size and the speed of a GPU decide, and races of its kernels.
  bool on_gpu = false;
};

/// Program number `index` of the plan. Independent of the other programs.
Block write_program(const ProgramPlan& plan, std::uint64_t index);

/// The number of commands, including those inside blocks.
std::size_t size_of(const Block& program);
/// True if a command inside a scope raises an error on purpose.
bool raises_in_scope(const Block& program);

}  // namespace assay
