// A random program while it is being written: the commands so far, and what they have made.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/program/random.hpp"
#include "harness/protocol/message.hpp"

namespace assay {

/// Something that a command has made and later ones can use.
struct Known {
  std::string name;
  std::string kind;  ///< `tensor`, `scaler`, `optimizer`, `kernel`, …
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape = {};
  std::string text = {};  ///< what else there is to know: an operator's name, a namespace
};

/// Writers of commands (moves.hpp) put them here. A command goes to the innermost block that is
/// being written.
class Draft {
 public:
  Draft(Random& random, const Contract& contract)
      : random_(random), contract_(contract), typed_(random.one_in(2)) {}

  Random& random() { return random_; }
  /// May it ask for what only programs in C++ can do? Half of all programs do not: subjects in
  /// Python answer them whole.
  bool is_typed() const { return typed_; }
  const Contract& contract() const { return contract_; }
  /// Some device of the contract, seldom one that does not exist.
  Device device();

  void add(Command command);
  void add(std::string verb, Fields with, std::string as = {});
  /// Adds the command under a fresh name, and remembers what it makes.
  std::string make(std::string verb, Fields with, Known made);

  void remember(Known made) { known_.push_back(std::move(made)); }

  /// Some thing of that kind; null when there is none.
  const Known* any(std::string_view kind);
  /// The same as a reference, and whatever `otherwise` makes when there is none.
  std::size_t count(std::string_view kind) const;
  /// Is there a thing of that kind with that text?
  bool knows(std::string_view kind, std::string_view text) const;
  void forget(const std::string& name);
  std::string fresh(std::string_view prefix);

  /// What `write` adds, as a block. With `local`, names made inside are forgotten: those of
  /// callbacks and of rounds of `together`.
  Block block(const std::function<void()>& write, bool local = false);
  int depth() const { return depth_; }
  /// Commands written, those inside blocks too.
  std::size_t size() const { return size_; }

  Block take() { return std::move(*open_); }

 private:
  Random& random_;
  Contract contract_;
  bool typed_;
  Block top_;
  Block* open_ = &top_;
  std::vector<Known> known_;
  int depth_ = 0;
  std::size_t size_ = 0;
  std::uint64_t names_ = 0;
};

}  // namespace assay
