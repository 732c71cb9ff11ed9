// Registers and removes kernels and fallbacks (DSP-408 to DSP-415).
#include <utility>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/dispatch/registry/turn.hpp"
#include "cuda_impl/dispatch/schema/difference.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// DSP-411
Key stored_at(std::optional<Key> key) {
  return !key || key->is_undefined() ? Key(kCompositeImplicit) : *key;
}

std::string key_text(std::optional<Key> key) { return key ? name_of(*key) : "(catch all)"; }

void expect_slot(const Layout& layout, Key key) {
  require(layout.kind_of(key) != KeyKind::kBlock, [&] {
    return "nothing can be registered at the building block " + name_of(key) +
           ", which no call reaches";
  });
}

std::string where_defined(const OperatorState& state) {
  return state.has_schema() ? state.definition->schema.text() + ", " + state.definition->debug
                            : "no debug info";
}

/// DSP-409
void expect_signature(const OperatorState& state, const Registered& added, std::optional<Key> key) {
  const Signature* own = added.kernel.signature;
  if (own == nullptr || !state.first || state.first->signature == own) return;
  throw Error("Mismatch in kernel C++ signatures\n  operator: " + state.name.text() + "\n    " +
              where_defined(state) + "\n  kernel 1: " + state.first->signature->name() +
              "\n    dispatch key: " + key_text(state.first->key) + "\n    " + state.first->debug +
              "\n  kernel 2: " + own->name() + "\n    dispatch key: " + key_text(key) + "\n    " +
              added.debug);
}

}  // namespace

/// Records the signature; PyTorch does so even if it then rejects the kernel (DSP-410).
void Dispatcher::expect_implementable(OperatorState& state, const Registered& added,
                                      std::optional<Key> key, Operator& op) {
  expect_signature(state, added, key);
  if (!added.kernel.is_typed()) return;
  const StatePtr before = op.table().state;
  if (!state.first) state.first = FirstSignature{added.kernel.signature, key, added.debug};
  if (!state.has_schema()) return;
  try {
    require_fit(state.name, {state.definition->schema, state.definition->debug},
                {added.kernel.signature->schema(), added.debug}, contract_);
  } catch (...) {
    if (!contract_.is_strict) publish(op, state, Slots());
    throw;
  }
}

Registration Dispatcher::implement(const OperatorName& name, std::optional<Key> key,
                                   const Kernel& kernel, const std::string& debug) {
  const Turn turn(*this);
  const Key at = stored_at(key);
  if (contract_.is_strict) expect_slot(layout_, at);
  Operator& op = find_or_make(name);
  OperatorState next = *op.table().state;
  const auto added = std::make_shared<const Registered>(Registered{kernel, debug});
  try {
    expect_implementable(next, *added, key, op);
  } catch (...) {
    forsake(op);
    throw;
  }
  next.is_forsaken = false;
  if (next.newest_at(at) != nullptr) warn_of_override(next, key, *added);
  auto& kernels = next.kernels[at];
  kernels.insert(kernels.begin(), added);
  publish(op, std::move(next), refreshed_with(layout_, at));
  return handle([&op, at, added](Dispatcher& self) { self.remove_kernel(op, at, added); });
}

void Dispatcher::remove_kernel(Operator& op, Key key, const RegisteredPtr& kernel) {
  OperatorState next = *op.table().state;
  auto& kernels = next.kernels[key];
  std::erase(kernels, kernel);
  if (kernels.empty()) next.kernels.erase(key);
  publish(op, std::move(next), refreshed_with(layout_, key));
}

/// DSP-412
void Dispatcher::warn_of_override(const OperatorState& state, std::optional<Key> key,
                                  const Registered& added) {
  const std::string first = state.first ? state.first->debug : "no debug info";
  const std::string previous =
      contract_.is_strict ? (*state.newest_at(stored_at(key)))->debug : first;
  const std::string text =
      "Overriding a previously registered kernel for the same operator and the same dispatch "
      "key\n  operator: " +
      state.name.text() + "\n    " + where_defined(state) + "\n  dispatch key: " + key_text(key) +
      "\n  previous kernel: " + previous + "\n       new kernel: " + added.debug;
  if (contract_.release == Release::k1_13) return warn("UserWarning", text);
  // Since 2.13, importing PyTorch uses up the one warning of the process.
  if (!contract_.is_strict && contract_.release >= Release::k2_13) return;
  const bool is_quiet = key == Key(Backend::kMeta) ||
                        (key == Key(Backend::kMtia) && contract_.release >= Release::k2_11);
  if (is_quiet || std::exchange(has_warned_, true)) return;
  warn("UserWarning", text);
}

Registration Dispatcher::fall_back(std::optional<Key> key, const Kernel& kernel,
                                   const std::string& debug) {
  require(key && !key->is_undefined(), ErrorKind::kInternal,
          [] { return "a fallback needs a key other than Undefined"; });
  if (contract_.is_strict) {
    expect_slot(layout_, *key);
    require(!kernel.is_typed(), [&] { return "a fallback must be a boxed kernel: " + debug; });
  }
  const Turn turn(*this);
  const auto added = std::make_shared<const Registered>(Registered{kernel, debug});
  std::vector<Key> keys;
  Fallbacks next = *fallbacks_;
  const Slots members = layout_.members_of(*key);  // DSP-414
  for (unsigned slot = 0; slot < static_cast<unsigned>(layout_.slots()); ++slot) {
    if (!members[slot]) continue;
    const Key at = keys.emplace_back(layout_.key_at(slot));
    const auto [there, is_new] = next.emplace(at, added);
    require(is_new, [&] {
      return "Tried to register multiple backend fallbacks for the same dispatch key " +
             name_of(at) + "; previous registration " + there->second->debug +
             ", new registration " + debug;
    });
  }
  publish_fallbacks(std::move(next), keys);
  return handle([keys](Dispatcher& self) {
    Fallbacks rest = *self.fallbacks_;
    for (const Key at : keys) rest.erase(at);
    self.publish_fallbacks(std::move(rest), keys);
  });
}

void Dispatcher::set_fallbacks(const std::vector<Key>& keys, const Kernel& kernel,
                               const std::string& debug) {
  const Turn turn(*this);
  Fallbacks next = *fallbacks_;
  for (const Key key : keys) {
    next[key] =
        std::make_shared<const Registered>(Registered{kernel, debug + " of " + name_of(key)});
  }
  publish_fallbacks(std::move(next), keys);
}

}  // namespace assay::cuda::dispatch
