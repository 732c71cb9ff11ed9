// What a thread includes and excludes, guard by guard: DSP-211 to DSP-215, coded a second time.
#pragma once

#include <memory>

#include "harness/protocol/message.hpp"
#include "suites/dispatch/layout.hpp"

namespace assay::suites {

/// A guard that has been entered. Left once, in whatever order.
struct EnteredGuard {
  enum class Kind { kInclude, kExclude, kForce, kUnknown, kNone };
  Kind kind = Kind::kNone;
  KeyBits added = 0;
  KeyBits included_before = 0;
  KeyBits excluded_before = 0;
  bool left = false;
  /// Nobody knew the sets when it was entered.
  bool is_blind = false;
};

class ThreadModel {
 public:
  ThreadModel(KeyBits included, KeyBits excluded) : included_(included), excluded_(excluded) {}

  /// Not after a command that this model does not follow, until somebody has looked.
  bool is_known() const { return !lost_ && unknown_guards_ == 0; }
  KeyBits included() const { return included_; }
  KeyBits excluded() const { return excluded_; }

  std::shared_ptr<EnteredGuard> enter(const Command& command, const Layout& layout);
  /// In compat, backend bits stay (DSP-212).
  void leave(EnteredGuard& guard, const Layout& layout, bool strict);

  void lose() { lost_ = true; }
  /// Somebody has asked for both sets.
  void look(KeyBits included, KeyBits excluded);

 private:
  void enter_include(EnteredGuard& guard, KeyBits keys, bool excludes);

  KeyBits included_;
  KeyBits excluded_;
  bool lost_ = false;
  int unknown_guards_ = 0;
};

/// An int, or a list of keys; 0 where there is neither.
KeyBits key_bits_of(const Value* value, const Layout& layout);

}  // namespace assay::suites
