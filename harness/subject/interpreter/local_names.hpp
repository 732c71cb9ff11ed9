// Names that are local to one run of a block: renamed so that runs do not collide, with arguments
// substituted.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// The replacement of a name inside a block. References and callables with that name become the
/// value; if that is a reference, `as` is renamed too, and names that begin with `name.`.
using Substitution = std::map<std::string, Value>;

/// All names that `block` binds by `as`, in order, except those local to rounds and callbacks
/// inside it.
std::vector<std::string> names_bound_in(const Block& block);

/// The block with all names replaced. Names bound inside a callback or a round are unchanged there,
/// and so are the `$…` arguments of a callback.
Block substituted(const Block& block, const Substitution& substitution);
Value substituted(const Value& value, const Substitution& substitution);
Fields substituted(const Fields& fields, const Substitution& substitution);

/// The mark of a renamed name: `x~7`.
inline constexpr char kLocalMark = '~';

/// Adds a new name, `x~7`, for each name that `block` binds.
void add_fresh_names(Substitution& substitution, const Block& block,
                     std::atomic<std::uint64_t>& counter);

/// Names to be dropped at the end of the round or command that made them.
/// Thread-safe.
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

/// Records what a command with a local `as` has bound: the name, and names below it (`x~7.scale`)
/// in the reply.
void note_bound(LocalNames& names, const Command& command, const Reply& reply);

}  // namespace assay
