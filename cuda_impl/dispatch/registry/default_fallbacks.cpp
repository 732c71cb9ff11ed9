// The default fallbacks of each release.
#include <algorithm>
#include <array>
#include <span>

#include "cuda_impl/dispatch/call/boxed_call.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/dispatch/registry/library.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;

/// Keys of tensor kinds that this runtime does not create. PyTorch has special kernels there, which
/// pass other tensors on to the next key.
constexpr std::array kGoOn = {kFuncTorchDynamicLayerBackMode,
                              kFunctionalize,
                              kNamed,
                              kConjugate,
                              kNegative,
                              kZeroTensor,
                              kTracer,
                              kFuncTorchBatched,
                              kBatchedNestedTensor,
                              kBatched,
                              kFuncTorchGradWrapper,
                              kPythonTlsSnapshot,
                              kFuncTorchDynamicLayerFrontMode,
                              kPreDispatch,
                              kPythonDispatcher};

void expect_schema(const Table& table) {
  require(table.has_schema, ErrorKind::kInternal, [&] {
    return "Tried to access the schema for " + table.op->text() +
           " which doesn't have a schema registered yet";
  });
}

void go_on(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  // The keys below contain Python's dispatcher itself, which must be removed to avoid endless
  // recursion.
  const KeySet own = entry.table->layout->set_of(kPythonDispatcher);
  redispatch_below(entry, entry.key == kPythonDispatcher ? keys.without(own) : keys, stack);
}

void refuse_python(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  throw Error(ErrorKind::kInternal, entry.table->op->text() +
                                        ": Python's fallback needs what Python's modes keep, and "
                                        "tls_on_entry has no value");
}

bool has_tensor(const Boxed& value) {
  if (value.is(BoxedKind::kList)) return std::ranges::any_of(value.list(), has_tensor);
  return value.is_tensor() && value.tensor().body().get() != nullptr;
}

/// Goes on below Python. Until it returns, the thread excludes all keys above Python.
void leave_python(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  const Table& table = *entry.table;
  expect_schema(table);
  const auto arguments =
      std::span(stack).last(std::min<std::size_t>(table.arguments, stack.size()));
  require(std::ranges::any_of(arguments, has_tensor), ErrorKind::kInternal, [&] {
    return table.op->text() + ": reached Python, but no argument had a PyInterpreter";
  });
  const Layout& layout = *table.layout;
  const KeySet own = layout.set_of(kPython);
  ThreadKeys inside = thread_keys(layout);
  inside.included = inside.included.without(own);
  inside.excluded |= layout.full().without(entry.below | own);
  const ForceKeysGuard guard(table.contract(), inside);
  redispatch_boxed(*table.op, keys.without(own), stack);
}

void refuse_meta(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  throw Error(ErrorKind::kNotImplemented,
              entry.table->op->text() +
                  ": attempted to run this operator with Meta tensors, but there was no Meta "
                  "kernel for it");
}

/// DSP-512: PyTorch's fallback reads the schema and fails if there is none.
void hop_over_autograd(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  const Table& table = *entry.table;
  if (!table.is_strict) expect_schema(table);
  redispatch_boxed(*table.op, keys & table.layout->full_after(kAutogradOther), stack);
}

/// Returns whether the autocast key falls through in PyTorch.
bool pytorch_passes(Functionality autocast, Release release) {
  if (autocast == kAutocastCpu || autocast == kAutocastCuda) return true;
  if (release == Release::k1_13) return false;
  if (autocast == kAutocastXpu) return true;
  return release >= Release::k2_11 &&
         (autocast == kAutocastMtia || autocast == kAutocastMaia || autocast == kAutocastMps);
}

class Adder {
 public:
  explicit Adder(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

  void add(Key key, const Kernel& kernel) {
    if (!dispatcher_.layout().has(key)) return;
    const std::string what = kernel.is_fallthrough() ? "fallthrough" : "fallback";
    dispatcher_.set_fallbacks({key}, kernel, what);
  }
  void pass(Key key) { add(key, Kernel::fallthrough()); }

 private:
  Dispatcher& dispatcher_;
};

/// Backends, besides AutogradOther, whose autograd
/// key has a fallback in PyTorch since a release.
struct WithFallback {
  Backend backend;
  Release since = Release::k1_13;
};
constexpr std::array kWithFallback = {
    WithFallback{Backend::kCpu},
    WithFallback{Backend::kCuda},
    WithFallback{Backend::kXla},
    WithFallback{Backend::kMps},
    WithFallback{Backend::kXpu},
    WithFallback{Backend::kHpu},
    WithFallback{Backend::kLazy},
    WithFallback{Backend::kMeta, Release::k2_4},
    WithFallback{Backend::kMtia, Release::k2_11},
    WithFallback{Backend::kMaia, Release::k2_11},
    WithFallback{Backend::kPrivateUse1, Release::k2_11},
};

std::vector<Key> autograd_keys(const Dispatcher& dispatcher) {
  const Layout& layout = dispatcher.layout();
  std::vector<Key> keys;
  if (dispatcher.contract().is_strict) {
    const Slots members = layout.members_of(kAliasAutograd);
    for (unsigned slot = 0; slot < static_cast<unsigned>(layout.slots()); ++slot) {
      if (members[slot]) keys.push_back(layout.key_at(slot));
    }
    return keys;
  }
  keys.emplace_back(kAutogradOther);
  for (const WithFallback& one : kWithFallback) {
    if (one.since <= layout.release()) keys.emplace_back(kAutograd, one.backend);
  }
  return keys;
}

bool hops_always(const Contract& contract) {
  return !contract.is_strict && contract.release != Release::k1_13;
}

}  // namespace

void set_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode) {
  const bool hops = mode == AutogradFallback::kWarn || hops_always(dispatcher.contract());
  dispatcher.set_fallbacks(autograd_keys(dispatcher),
                           hops ? Kernel::of_boxed(hop_over_autograd) : Kernel::fallthrough(),
                           "autograd fallback");
}

void add_default_fallbacks(Dispatcher& dispatcher) {
  Adder adder(dispatcher);
  const Contract& contract = dispatcher.contract();
  adder.pass(kADInplaceOrView);
  adder.pass(kBackendSelect);
  for (const Functionality one : dispatcher.layout().functionalities()) {
    const bool is_autocast = facts(one).name.starts_with("Autocast");
    if (!is_autocast) continue;
    if (contract.is_strict || pytorch_passes(one, contract.release)) adder.pass(one);
  }
  set_autograd_fallback(
      dispatcher, hops_always(contract) ? AutogradFallback::kWarn : AutogradFallback::kNothing);
  if (contract.is_strict) return;
  adder.pass(kVmapMode);
  adder.pass(kFuncTorchVmapMode);
  const bool needs_modes = contract.release < Release::k2_13;  // DSP-511
  adder.add(kPython, Kernel::of_boxed(needs_modes ? refuse_python : leave_python));
  for (const Functionality one : kGoOn) adder.add(one, Kernel::of_boxed(go_on));
  if (contract.release != Release::k1_13) adder.add(Backend::kMeta, Kernel::of_boxed(refuse_meta));
}

}  // namespace assay::cuda::dispatch
