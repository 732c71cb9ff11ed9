// Implements the autograd fallback (DSP-512).
#include "reference/dispatch/registry/autograd_fallback.hpp"

#include <array>
#include <span>
#include <string>

#include "reference/autograd/closure_node.hpp"
#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {
namespace {

using enum Backend;

// In addition to AutogradOther, as printed in the tables of the releases.
constexpr std::array kBackendsOf113{kCPU, kCUDA, kXLA, kMPS, kXPU, kHPU, kLazy};
constexpr std::array kBackendsOf24{kCPU, kCUDA, kXLA, kMPS, kXPU, kHPU, kLazy, kMeta};
constexpr std::array kBackendsOf211{kCPU,  kCUDA, kXLA,  kMPS,         kXPU, kHPU,
                                    kLazy, kMTIA, kMAIA, kPrivateUse1, kMeta};

std::span<const Backend> backends_of(Release release) {
  if (release == Release::k1_13) return kBackendsOf113;
  if (release == Release::k2_4) return kBackendsOf24;
  return kBackendsOf211;
}

std::vector<DispatchKey> keys_with_fallback(const KeyLayout& layout, const Contract& contract) {
  if (contract.strict()) return keys_of(layout, members_of(layout, Functionality::kAutograd));
  std::vector<DispatchKey> keys{Functionality::kAutogradOther};
  for (const Backend backend : backends_of(contract.release)) {
    keys.emplace_back(Functionality::kAutogradFunctionality, backend);
  }
  return keys;
}

/// PyTorch's fallback reads the schema, so an operator without one cannot be called.
void expect_schema(const OperatorHandle& op) {
  const bool asks = has_autograd_fallback_mode(op.dispatcher().runtime().contract());
  if (asks && !op.has_schema()) op.schema();
}

void go_on_below(const OperatorHandle& op, KeySet keys, Stack& stack) {
  expect_schema(op);
  Dispatcher& dispatcher = op.dispatcher();
  const KeySet below = full_after(dispatcher.layout(), Functionality::kAutogradOther);
  dispatcher.redispatch_boxed(op, keys & below, stack);
}

std::vector<Tensor> tensors_in(const Stack& stack) {
  std::vector<Tensor> tensors;
  for (const IValue& value : stack) {
    if (const auto* tensor = std::get_if<Tensor>(&value.payload())) tensors.push_back(*tensor);
  }
  return tensors;
}

/// Attaches an autograd node to the results that only warns.
void warn_when_differentiated(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const std::vector<Tensor> inputs = tensors_in(stack);
  go_on_below(op, keys, stack);
  const std::string name = op.name();
  for (const Tensor& result : tensors_in(stack)) {
    if (result.requires_grad()) continue;
    record(op.dispatcher().runtime(), "WarnNotImplemented", inputs, result,
           [name, count = inputs.size()](Runtime& runtime, const Tensor&) {
             runtime.warn("UserWarning",
                          name +
                              ": an autograd kernel was not registered to the Autograd key(s) "
                              "but we are trying to backprop through it");
             return Gradients(count);
           });
  }
}

Kernel fallback_kernel(const Contract& contract, AutogradFallback mode) {
  if (mode == AutogradFallback::kWarn) return Kernel::boxed(warn_when_differentiated);
  if (has_autograd_fallback_mode(contract)) return Kernel::boxed(go_on_below);
  return Kernel::fallthrough();
}

}  // namespace

bool has_autograd_fallback_mode(const Contract& contract) {
  return !contract.strict() && contract.release != Release::k1_13;
}

AutogradFallback default_autograd_fallback(const Contract& contract) {
  return has_autograd_fallback_mode(contract) ? AutogradFallback::kWarn
                                              : AutogradFallback::kNothing;
}

void put_autograd_fallback(Dispatcher& dispatcher, AutogradFallback mode) {
  const Contract& contract = dispatcher.runtime().contract();
  dispatcher.registry().replace_fallbacks(keys_with_fallback(dispatcher.layout(), contract),
                                          fallback_kernel(contract, mode), "autograd fallback");
}

}  // namespace assay::reference
