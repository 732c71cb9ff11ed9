// Registers all operators.
#include <algorithm>
#include <map>

#include "reference/autograd/steps.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/history.hpp"
#include "reference/operators/operator.hpp"
#include "reference/operators/recording.hpp"
#include "reference/operators/schemas.hpp"

namespace assay::reference {
namespace {

using Definitions = std::map<std::string, OpDefinition, std::less<>>;

Definitions computing_operators() {
  Definitions all;
  for (const auto& group :
       {arithmetic_operators(), product_operators(), convolution_operators(), reduction_operators(),
        row_operators(), softmax_operators(), layer_norm_operators(), loss_operators(),
        class_loss_operators(), function_operators(), shape_operators(), writing_operators(),
        composite_operators()}) {
    for (const OpDefinition& definition : group) all.emplace(definition.name, definition);
  }
  return all;
}

std::vector<Tensor> tensors_on(const Stack& stack, const OperatorHandle& op) {
  const std::size_t count = op.schema().arguments.size();
  const BoxedArguments args({stack.end() - static_cast<std::ptrdiff_t>(count), stack.end()},
                            op.dispatcher().runtime().contract().release);
  return args.all_tensors();
}

bool lacks_data(const OperatorHandle& op, const Stack& stack) {
  const std::vector<Tensor> tensors = tensors_on(stack, op);
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const Tensor& tensor) { return tensor.defined() && has_no_data(tensor); });
}

/// For tensors without data, nothing is computed, including the shape.
Kernel computing_kernel(const OpDefinition& definition) {
  return Kernel::boxed([definition, recording = recording_kernel()](const OperatorHandle& op,
                                                                    KeySet keys, Stack& stack) {
    if (lacks_data(op, stack)) return recording.run_boxed(op, keys, stack);
    const BoxedArguments args = take_arguments(op, stack);
    const IValue made = definition.kernel(op.dispatcher(), args);
    if (op.schema().returns.size() == 1) return stack.push_back(made);
    for (const IValue& each : *std::get<IValue::ListPtr>(made.payload())) stack.push_back(each);
  });
}

/// For backends that compute nothing. Without a tensor (an empty list) there is no backend either.
Kernel backendless_kernel(const OpDefinition& definition) {
  return Kernel::boxed([computing = computing_kernel(definition), recording = recording_kernel()](
                           const OperatorHandle& op, KeySet keys, Stack& stack) {
    const bool has_tensors = !tensors_on(stack, op).empty();
    (has_tensors ? recording : computing).run_boxed(op, keys, stack);
  });
}

class Registrar {
 public:
  explicit Registrar(Dispatcher& dispatcher) : to_(dispatcher) {}

  void add(const FunctionSchema& schema) {
    to_.keep(to_.registry().define(schema, {.debug = "reference"}));
    const std::string name = to_text(schema.name);
    const auto known = computing_.find(name);
    if (known == computing_.end()) return add_recording(name);
    add_computing(name, known->second);
  }

 private:
  void add_recording(const std::string& name) {
    impl(name, Functionality::kCompositeExplicitAutograd, recording_kernel(), name);
    impl(name, Functionality::kAutograd, autograd_kernel({}), name + "_autograd");
  }

  void add_computing(const std::string& name, const OpDefinition& definition) {
    const Kernel kernel = computing_kernel(definition);
    if (definition.place == OpPlace::kComposite) {
      return impl(name, Functionality::kCompositeImplicitAutograd, kernel, name);
    }
    for (const Backend backend : {Backend::kCPU, Backend::kCUDA, Backend::kMeta}) {
      impl(name, DispatchKey(backend), kernel, name);
    }
    impl(name, Functionality::kCompositeExplicitAutograd, backendless_kernel(definition), name);
    if (definition.place == OpPlace::kDetached) {
      return impl(name, Functionality::kAutograd, Kernel::fallthrough(), name);
    }
    const bool writes = definition.place == OpPlace::kInPlace || definition.place == OpPlace::kOut;
    impl(name, Functionality::kAutograd,
         writes ? in_place_autograd_kernel(definition) : autograd_kernel(definition),
         name + "_autograd");
  }

  void impl(const std::string& name, DispatchKey key, const Kernel& kernel,
            const std::string& label) {
    to_.keep(to_.impl(name, key, kernel, label));
  }

  Dispatcher& to_;
  Definitions computing_ = computing_operators();
};

}  // namespace

void add_operators(Dispatcher& dispatcher) {
  Registrar registrar(dispatcher);
  for (const FunctionSchema& schema : schemas_of(dispatcher.runtime().contract().release)) {
    registrar.add(schema);
  }
}

}  // namespace assay::reference
