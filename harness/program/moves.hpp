// The building blocks of random programs: a program under construction, and how to generate each
// command of an area.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/random.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// An object made by a command that later commands can use.
struct Known {
  std::string name;
  std::string kind;  ///< `tensor`, `scaler`, `optimizer`, `kernel`, …
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape = {};
  std::string text = {};  ///< additional data: an operator's name, a namespace
};

/// Moves (moves.hpp) add commands to it. A command is appended to the innermost open
/// block.
class Draft {
 public:
  Draft(Random& random, const Contract& contract, int devices, bool on_gpu)
      : random_(random),
        contract_(contract),
        devices_(devices),
        on_gpu_(on_gpu),
        typed_(random.one_in(2)) {}

  Random& random() { return random_; }
  /// False for half of all programs: these avoid features of C++ interfaces, so that subjects in
  /// Python can answer them completely.
  bool is_typed() const { return typed_; }
  const Contract& contract() const { return contract_; }
  /// A device of the contract; rarely one that does not exist.
  Device device();
  /// Nothing may depend on a GPU's size and speed.
  bool is_on_gpu() const { return on_gpu_; }
  /// The number of devices of an accelerator that it uses.
  int devices() const { return devices_; }
  /// The index of one of them.
  int device_index() { return static_cast<int>(random_.between(0, devices_ - 1)); }

  void add(Command command);
  void add(std::string verb, Fields with, std::string as = {});
  /// Adds the command with a new name, and records the object that it makes.
  std::string make(std::string verb, Fields with, Known made);

  void remember(Known made) { known_.push_back(std::move(made)); }

  /// A random object of this kind; null if there is none.
  const Known* any(std::string_view kind);
  /// A reference to such an object; calls `otherwise` to make one if there is none.
  std::size_t count(std::string_view kind) const;
  /// True if there is an object of this kind with this text.
  bool knows(std::string_view kind, std::string_view text) const;
  void forget(const std::string& name);
  std::string fresh(std::string_view prefix);

  /// The commands that `write` adds, as a block. With `local`, names made inside are forgotten, as
  /// in callbacks and rounds of `together`.
  Block block(const std::function<void()>& write, bool local = false);
  int depth() const { return depth_; }
  /// The number of commands, including those inside blocks.
  std::size_t size() const { return size_; }

  Block take() { return std::move(*open_); }

 private:
  Random& random_;
  Contract contract_;
  int devices_;
  bool on_gpu_;
  bool typed_;
  Block top_;
  Block* open_ = &top_;
  std::vector<Known> known_;
  int depth_ = 0;
  std::size_t size_ = 0;
  std::uint64_t names_ = 0;
};

// The moves.

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
