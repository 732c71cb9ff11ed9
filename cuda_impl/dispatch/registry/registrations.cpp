// Registers and removes operator definitions with their listeners (DSP-406, DSP-418, DSP-805,
// DSP-806), kernels and fallbacks (DSP-408 to DSP-415).
#include <utility>

#include "cuda_impl/core/session.hpp"
#include "cuda_impl/dispatch/registry/dispatcher.hpp"
#include "cuda_impl/dispatch/schema/signature.hpp"

namespace assay::cuda::dispatch {
namespace {

constexpr std::size_t kMostArguments = 64;

void expect_few_arguments(const Schema& schema) {
  const std::size_t count = schema.arguments().size();
  require(count <= kMostArguments, [&] {
    return "The function schema of " + schema.name().text() + " has " + std::to_string(count) +
           " arguments but this dispatcher only supports " + std::to_string(kMostArguments);
  });
}

}  // namespace

void Dispatcher::expect_definable(const OperatorState& op, const Schema& schema,
                                  const std::string& debug) {
  if (op.has_schema()) {
    throw Error(op.is_forsaken ? ErrorKind::kInternal : ErrorKind::kError,
                "Tried to register an operator (" + schema.text() +
                    ") with the same name and overload name multiple times. It was registered as " +
                    op.definition->schema.text() + " at " + op.definition->debug +
                    ", and again at " + debug);
  }
  expect_few_arguments(schema);
  require_definable(schema, contract_);
  for (const auto& [key, kernels] : op.kernels) {
    for (const RegisteredPtr& one : kernels) {
      if (!one->kernel.is_typed()) continue;
      require_fit(op.name, {schema, debug}, {one->kernel.signature->schema(), one->debug},
                  contract_);
    }
  }
}

Registration Dispatcher::define(const Schema& schema, const DefineOptions& options) {
  const Turn turn(*this);
  if (contract_.is_strict) expect_few_arguments(schema);
  Operator& op = find_or_make(schema.name());
  const StatePtr before = op.table().state;
  OperatorState next = *before;
  try {
    expect_definable(*before, schema, options.debug);
  } catch (...) {
    forsake(op);
    throw;
  }
  next.is_forsaken = false;
  next.definition = std::make_shared<const Definition>(
      Definition{schema, options.debug, options.alias_kind, options.tags});
  publish(op, std::move(next), Slots());
  notify_listeners(op, before);
  return handle([&op](Dispatcher& self) { self.undefine(op); });
}

/// PyTorch leaves the entry of a rejected registration behind (DSP-207).
void Dispatcher::forsake(Operator& op) {
  OperatorState state = *op.table().state;
  if (contract_.is_strict || state.is_alive()) return;
  state.is_forsaken = true;
  publish(op, std::move(state), Slots());
}

void Dispatcher::notify(const std::function<void(const Operator&)>& listener, const Operator& op) {
  if (!listener) return;
  struct Notifying {
    explicit Notifying(std::atomic<std::thread::id>& notifying_thread) : thread(notifying_thread) {
      thread = std::this_thread::get_id();
    }
    ~Notifying() { thread = std::thread::id(); }
    std::atomic<std::thread::id>& thread;
  } const notifying(notifying_);
  listener(op);
}

void Dispatcher::notify_listeners(Operator& op, const StatePtr& before) {
  try {
    for (const ListenerPtr& one : listeners_) notify(one->added, op);
  } catch (...) {
    OperatorState next = contract_.is_strict ? *before : *op.table().state;
    next.is_forsaken = !contract_.is_strict;
    publish(op, std::move(next), Slots());
    throw;
  }
}

void Dispatcher::undefine(Operator& op) {
  for (const ListenerPtr& one : listeners_) {
    try {
      notify(one->removed, op);
    } catch (const std::exception&) {  // removing a registration must not fail
      continue;
    }
  }
  OperatorState next = *op.table().state;
  next.definition = nullptr;
  publish(op, std::move(next), Slots());
}

Registration Dispatcher::add_listener(Listener listener) {
  const Turn turn(*this);
  const auto added = std::make_shared<const Listener>(std::move(listener));
  adopt_the_rest();
  for (const Operator* op : alive()) {
    if (op->table().has_schema) notify(added->added, *op);
  }
  listeners_.push_back(added);
  return handle([added](Dispatcher& self) { std::erase(self.listeners_, added); });
}

// Kernels and fallbacks.

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
