// A thread's included and excluded keys under guards: a second implementation of DSP-211 to 215.
#pragma once

#include <memory>

#include "harness/protocol/message.hpp"
#include "suites/dispatch/layout.hpp"

namespace assay::suites {

/// An entered guard. It is left once, in any order.
struct EnteredGuard {
  enum class Kind { kInclude, kExclude, kForce, kUnknown, kNone };
  Kind kind = Kind::kNone;
  KeyBits added = 0;
  KeyBits included_before = 0;
  KeyBits excluded_before = 0;
  bool left = false;
  /// The sets were unknown when it was entered.
  bool is_blind = false;
};

class ThreadModel {
 public:
  ThreadModel(KeyBits included, KeyBits excluded) : included_(included), excluded_(excluded) {}

  /// False after a command that is not modelled, until both sets are queried.
  bool is_known() const { return !lost_ && unknown_guards_ == 0; }
  KeyBits included() const { return included_; }
  KeyBits excluded() const { return excluded_; }

  std::shared_ptr<EnteredGuard> enter(const Command& command, const Layout& layout);
  /// Under compat, backend bits remain (DSP-212).
  void leave(EnteredGuard& guard, const Layout& layout, bool strict);

  void lose() { lost_ = true; }
  /// Both sets were queried.
  void look(KeyBits included, KeyBits excluded);

 private:
  void enter_include(EnteredGuard& guard, KeyBits keys, bool excludes);

  KeyBits included_;
  KeyBits excluded_;
  bool lost_ = false;
  int unknown_guards_ = 0;
};

/// An int, or a list of keys; otherwise 0.
KeyBits key_bits_of(const Value* value, const Layout& layout);

}  // namespace assay::suites
