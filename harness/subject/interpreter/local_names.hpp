// Names that live only inside one run of a block: renamed so that no two runs meet, and arguments
// put in their place.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// What stands for a name inside a block. References and callables to it become the value; a value
/// that is itself a reference renames `as` as well, and names that begin with `name.`.
using Substitution = std::map<std::string, Value>;

/// Every name that `block` binds by `as`, in order; not those local to rounds and callbacks inside
/// it.
std::vector<std::string> names_bound_in(const Block& block);

/// The block with all names replaced. Inside a callback or a round that binds a name itself, that
/// name stays, and so do the `$…` of a callback, which are its own.
Block substituted(const Block& block, const Substitution& substitution);
Value substituted(const Value& value, const Substitution& substitution);
Fields substituted(const Fields& fields, const Substitution& substitution);

/// Marks a renamed name: `x~7`.
inline constexpr char kLocalMark = '~';

/// Adds a fresh name, `x~7`, for each name that `block` binds.
void add_fresh_names(Substitution& substitution, const Block& block,
                     std::atomic<std::uint64_t>& counter);

/// Names to be dropped when the round or the command that made them ends. Safe to use from many
/// threads.
class LocalNames {
 public:
  void add(std::string name);
  bool empty();
  /// Newest first.
  std::vector<std::string> take();

 private:
  std::mutex mutex_;
  std::vector<std::string> names_;
};

/// Notes what a command with a local `as` has bound: the name, and the names below it (`x~7.scale`)
/// that the reply refers to.
void note_bound(LocalNames& names, const Command& command, const Reply& reply);

}  // namespace assay
