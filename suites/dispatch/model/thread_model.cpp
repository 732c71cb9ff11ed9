// A thread's included and excluded keys under guards.
#include "suites/dispatch/model/thread_model.hpp"

#include <utility>

namespace assay::suites {

using Kind = EnteredGuard::Kind;

KeyBits key_bits_of(const Value* value, const Layout& layout) {
  if (value == nullptr) return 0;
  if (const auto* bits = value->get_if<std::int64_t>()) return static_cast<KeyBits>(*bits);
  KeyBits united = 0;
  const List* keys = value->get_if<List>();
  if (keys == nullptr) return 0;
  for (const Value& key : keys->items) {
    const std::string* name = key.get_if<std::string>();
    if (name != nullptr && layout.is_runtime(*name)) united |= layout.bits_of(*name);
  }
  return united;
}

void ThreadModel::enter_include(EnteredGuard& guard, KeyBits keys, bool excludes) {
  KeyBits& set = excludes ? excluded_ : included_;
  guard.kind = excludes ? Kind::kExclude : Kind::kInclude;
  guard.added = keys & ~set;
  set |= guard.added;
}

std::shared_ptr<EnteredGuard> ThreadModel::enter(const Command& command, const Layout& layout) {
  auto guard = std::make_shared<EnteredGuard>();
  guard->included_before = included_;
  guard->excluded_before = excluded_;
  guard->is_blind = !is_known();
  const KeyBits keys = key_bits_of(command.with.find("keys"), layout);
  if (command.verb == "dispatch.include" || command.verb == "dispatch.exclude") {
    enter_include(*guard, keys, command.verb == "dispatch.exclude");
  } else if (command.verb == "dispatch.force") {
    guard->kind = Kind::kForce;
    included_ = key_bits_of(command.with.find("included"), layout);
    excluded_ = key_bits_of(command.with.find("excluded"), layout);
  } else if (command.verb == "dispatch.below" || command.verb == "dispatch.restore") {
    guard->kind = Kind::kUnknown;
    ++unknown_guards_;
  }
  return guard;
}

void ThreadModel::leave(EnteredGuard& guard, const Layout& layout, bool strict) {
  if (std::exchange(guard.left, true)) return;
  const KeyBits taken = strict ? guard.added : guard.added & ~layout.backend_bits();
  if (guard.kind == Kind::kInclude) included_ &= ~taken;
  if (guard.kind == Kind::kExclude) excluded_ &= ~taken;
  if (guard.kind == Kind::kForce || guard.kind == Kind::kUnknown) {
    included_ = guard.included_before;
    excluded_ = guard.excluded_before;
  }
  if (guard.kind == Kind::kUnknown) --unknown_guards_;
  if (guard.is_blind || (guard.kind == Kind::kUnknown && !strict)) lose();
}

void ThreadModel::look(KeyBits included, KeyBits excluded) {
  if (unknown_guards_ > 0) return;
  lost_ = false;
  included_ = included;
  excluded_ = excluded;
}

}  // namespace assay::suites
