// Registers and removes kernels and fallbacks.
#include <algorithm>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/registry/registration_checks.hpp"
#include "reference/dispatch/registry/registry.hpp"
#include "reference/dispatch/registry/table.hpp"
#include "reference/dispatch/watch/observer.hpp"

namespace assay::reference {
namespace {

/// The key that a kernel is stored under (DSP-411, DSP-502).
DispatchKey stored_at(std::optional<DispatchKey> key) {
  if (!key || *key == Functionality::kUndefined) {
    return Functionality::kCompositeImplicitAutograd;
  }
  return *key;
}

/// A block has no slot, so a kernel registered there could never be called.
void expect_slot(const KeyLayout& layout, DispatchKey key) {
  check(layout.kind_of(key) != KeyKind::kBlock,
        [&] { return "no kernel can be registered at the building block " + name_of(key); });
}

}  // namespace

Registration Registry::impl(const OperatorName& name, std::optional<DispatchKey> key,
                            const Kernel& kernel, const std::string& debug) {
  RegistrationTurn turn(queue_);
  const DispatchKey at = stored_at(key);
  if (strict()) expect_slot(layout_, at);
  const EntryPtr entry = find_or_make(name);
  OperatorState next = *entry->state();
  const auto added =
      std::make_shared<const Registered>(Registered{kernel, debug, inferred(kernel)});

  expect_signature(next, *added, key);
  if (const CppSignature* signature = kernel.signature(); signature && !next.signature) {
    next.signature = RecordedSignature{*signature, key, debug};
    // PyTorch records the signature even if the kernel is rejected below (DSP-410).
    if (!strict()) {
      turn.retire(entry->replace(std::make_shared<const OperatorState>(next)));
    }
  }
  if (next.has_schema()) {
    expect_schema(next, next.definition->schema, next.definition->debug, *added);
  }
  if (next.newest_at(at)) warn_of_override(next, key, *added);
  auto& kernels = next.kernels[at];
  kernels.insert(kernels.begin(), added);
  if (keeps_table()) refresh_stale_table(layout_, next, *fallbacks(), at);
  publish(turn, entry, std::move(next));
  return handle([entry, at, added](Registry& self, RegistrationTurn& its_turn) {
    self.remove_kernel(its_turn, entry, at, added);
  });
}

void Registry::remove_kernel(RegistrationTurn& turn, const EntryPtr& entry, DispatchKey key,
                             const RegisteredPtr& kernel) {
  OperatorState next = *entry->state();
  auto& kernels = next.kernels[key];
  std::erase(kernels, kernel);
  if (kernels.empty()) next.kernels.erase(key);
  if (keeps_table()) {
    refresh_stale_table(layout_, next, *fallbacks(), key);
  }
  publish(turn, entry, std::move(next));
}

/// DSP-412: 1.13 warns each time, later releases once; never for Meta, since 2.11 nor for MTIA.
/// PyTorch's one warning is spent when it is imported since 2.13.
void Registry::warn_of_override(const OperatorState& op, std::optional<DispatchKey> key,
                                const Registered& added) {
  std::string previous = op.newest_at(stored_at(key))->debug;
  if (!strict()) previous = op.signature ? op.signature->debug : "no debug info";
  const std::string text = override_warning(op, key, previous, added.debug);
  const Contract& contract = runtime_.contract();
  if (contract.release == Release::k1_13) return runtime_.warn("UserWarning", text);
  const bool of_mtia = key == DispatchKey(Backend::kMTIA) && contract.at_least(Release::k2_11);
  const bool is_spent = !strict() && contract.at_least(Release::k2_13);
  const bool silent = key == DispatchKey(Backend::kMeta) || of_mtia || is_spent;
  if (silent || std::exchange(warned_of_override_, true)) return;
  runtime_.warn("UserWarning", text);
}

Registration Registry::fallback(std::optional<DispatchKey> key, const Kernel& kernel,
                                const std::string& debug) {
  check(key && *key != Functionality::kUndefined, ErrorKind::kInternal,
        [] { return "a fallback needs a key other than Undefined"; });
  if (strict()) {
    expect_slot(layout_, *key);
    check(!kernel.is_typed(), [&] { return "a fallback must be a boxed kernel: " + debug; });
  }
  RegistrationTurn turn(queue_);
  std::vector<DispatchKey> keys = keys_of(layout_, members_of(layout_, *key));
  Fallbacks next = *fallbacks();
  const auto added = std::make_shared<const Registered>(Registered{kernel, debug, std::nullopt});
  for (const DispatchKey at : keys) {
    const auto [present, is_new] = next.emplace(at, added);
    check(is_new, [&] {
      return "Tried to register multiple backend fallbacks for the same dispatch key " +
             name_of(at) + "; previous registration " + present->second->debug +
             ", new registration " + debug;
    });
  }
  set_fallbacks(turn, std::move(next), keys);
  return handle([keys](Registry& self, RegistrationTurn& its_turn) {
    Fallbacks rest = *self.fallbacks();
    for (const DispatchKey at : keys) rest.erase(at);
    self.set_fallbacks(its_turn, std::move(rest), keys);
  });
}

void Registry::replace_fallbacks(const std::vector<DispatchKey>& keys, const Kernel& kernel,
                                 const std::string& what) {
  RegistrationTurn turn(queue_);
  Fallbacks next = *fallbacks();
  for (const DispatchKey key : keys) {
    next[key] = std::make_shared<const Registered>(
        Registered{kernel, what + " of " + name_of(key), std::nullopt});
  }
  set_fallbacks(turn, std::move(next), keys);
}

void Registry::set_fallbacks(RegistrationTurn& turn, Fallbacks next,
                             const std::vector<DispatchKey>& keys) {
  auto held = std::make_shared<const Fallbacks>(std::move(next));
  {
    const std::scoped_lock lock(names_mutex_);
    turn.retire(std::exchange(fallbacks_, held));
  }
  if (!keeps_table()) return;
  for (const EntryPtr& entry : entries()) {
    OperatorState refreshed = *entry->state();
    for (const DispatchKey key : keys) refresh_stale_table(layout_, refreshed, *held, key);
    turn.retire(entry->replace(std::make_shared<const OperatorState>(std::move(refreshed))));
  }
}

}  // namespace assay::reference
