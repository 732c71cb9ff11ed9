// Registers the built-in fallbacks (DSP-511, DSP-512).
#include "reference/dispatch/registry/default_fallbacks.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/keys/thread_keys.hpp"
#include "reference/dispatch/registry/autograd_fallback.hpp"

namespace assay::reference {
namespace {

using enum Functionality;

constexpr std::array kAutocast{kAutocastCPU,  kAutocastMTIA,       kAutocastMAIA, kAutocastXPU,
                               kAutocastIPU,  kAutocastHPU,        kAutocastXLA,  kAutocastMPS,
                               kAutocastCUDA, kAutocastPrivateUse1};

// PyTorch's fallbacks for each release, as printed in its tables.
constexpr std::array kAutocastOf113{kAutocastCPU, kAutocastCUDA};
constexpr std::array kAutocastOf24{kAutocastCPU, kAutocastXPU, kAutocastCUDA};
constexpr std::array kAutocastOf211{kAutocastCPU, kAutocastMTIA, kAutocastMAIA,
                                    kAutocastXPU, kAutocastMPS,  kAutocastCUDA};
constexpr std::array kPassedOn{kFuncTorchDynamicLayerBackMode,
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
                               kPythonTLSSnapshot,
                               kFuncTorchDynamicLayerFrontMode,
                               kPreDispatch,
                               kPythonDispatcher};

std::span<const Functionality> autocast_of(Release release) {
  if (release == Release::k1_13) return kAutocastOf113;
  if (release == Release::k2_4) return kAutocastOf24;
  return kAutocastOf211;
}

class Adder {
 public:
  explicit Adder(Dispatcher& dispatcher) : dispatcher_(dispatcher) {}

  void add(DispatchKey key, const Kernel& kernel, const std::string& what) {
    if (!dispatcher_.layout().has(key)) return;
    dispatcher_.keep(dispatcher_.fallback(key, kernel, what + " of " + name_of(key)));
  }
  void fall_through(DispatchKey key) { add(key, Kernel::fallthrough(), "fallthrough"); }
  void fall_through(std::span<const Functionality> keys) {
    for (const Functionality key : keys) fall_through(key);
  }

 private:
  Dispatcher& dispatcher_;
};

/// For keys of tensor kinds that the reference lacks: redispatches to the keys below, as PyTorch
/// does for other tensors.
Kernel pass_on(DispatchKey key) {
  return Kernel::boxed([key](const OperatorHandle& op, KeySet keys, Stack& stack) {
    Dispatcher& dispatcher = op.dispatcher();
    dispatcher.redispatch_boxed(op, keys & full_after(dispatcher.layout(), key), stack);
  });
}

/// PyTorch's fallback needs the snapshot of Python's dispatch modes and raises without it.
Kernel refuse_python() {
  return Kernel::boxed([](const OperatorHandle& op, KeySet, Stack&) {
    throw Error(ErrorKind::kInternal, op.name() +
                                          ": Python's fallback needs the thread-local state on "
                                          "entry, and tls_on_entry has no value");
  });
}

/// A value that Python knows: a tensor, or a list with one. All tensors here count as made in
/// Python.
bool is_known_to_python(const IValue& value) {
  if (const auto* list = std::get_if<IValue::ListPtr>(&value.payload())) {
    return std::ranges::any_of(**list, is_known_to_python);
  }
  const auto* tensor = std::get_if<Tensor>(&value.payload());
  return tensor != nullptr && tensor->defined();
}

void expect_known_to_python(const OperatorHandle& op, const Stack& stack) {
  const std::size_t count = std::min(op.schema().arguments.size(), stack.size());
  const auto first = stack.end() - static_cast<std::ptrdiff_t>(count);
  check(std::any_of(first, stack.end(), is_known_to_python), ErrorKind::kInternal, [&] {
    return op.name() +
           ": hit the Python key, but no argument had a PyInterpreter (no tensor arguments?)";
  });
}

/// Since 2.13: calls what is below Python, with no key above it (DSP-511).
Kernel forward_below_python() {
  return Kernel::boxed([](const OperatorHandle& op, KeySet keys, Stack& stack) {
    expect_known_to_python(op, stack);
    Dispatcher& dispatcher = op.dispatcher();
    const KeyLayout& layout = dispatcher.layout();
    const KeySet up_to_python = full_after(layout, kPython) | set_of(layout, kPython);
    const ExcludeKeyGuard above(dispatcher.runtime(), full_set(layout) ^ up_to_python);
    ThreadKeys without_python = thread_keys(dispatcher.runtime());
    without_python.included = remove(layout, without_python.included, kPython);
    const ForceKeysGuard guard(dispatcher.runtime(), without_python);
    dispatcher.redispatch_boxed(op, remove(layout, keys, kPython), stack);
  });
}

Kernel refuse_meta() {
  return Kernel::boxed([](const OperatorHandle& op, KeySet, Stack&) {
    throw Error(ErrorKind::kNotImplemented,
                op.name() +
                    ": attempted to run this operator with Meta tensors, but there was no "
                    "Meta kernel registered for it");
  });
}

void add_as_pytorch(Dispatcher& dispatcher) {
  Adder adder(dispatcher);
  const Release release = dispatcher.layout().release();
  adder.fall_through(kADInplaceOrView);
  adder.fall_through(kBackendSelect);
  adder.fall_through(kVmapMode);
  adder.fall_through(kFuncTorchVmapMode);
  adder.fall_through(autocast_of(release));
  const bool forwards = release >= Release::k2_13;
  adder.add(kPython, forwards ? forward_below_python() : refuse_python(), "fallback");
  for (const Functionality key : kPassedOn) adder.add(key, pass_on(key), "fallback");
  if (release != Release::k1_13) adder.add(Backend::kMeta, refuse_meta(), "fallback");
}

}  // namespace

void add_default_fallbacks(Dispatcher& dispatcher) {
  if (dispatcher.runtime().contract().strict()) {
    Adder adder(dispatcher);
    adder.fall_through(kADInplaceOrView);
    adder.fall_through(kBackendSelect);
    adder.fall_through(kAutocast);
  } else {
    add_as_pytorch(dispatcher);
  }
}

}  // namespace assay::reference
