// Combines the keys of arguments (DSP-204 to DSP-206).
#include "reference/dispatch/call/argument_keys.hpp"

#include "reference/dispatch/keys/tensor_keys.hpp"

namespace assay::reference {
namespace {

/// The keys of a tensor, a generator or the tensors in a list; other values have none.
KeySet keys_in(const KeyLayout& layout, const IValue& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value.payload())) {
    return key_set_of(layout, *tensor);
  }
  if (const auto* generator = std::get_if<IValue::GeneratorPtr>(&value.payload())) {
    return key_set_of(layout, *generator);
  }
  KeySet keys;
  if (const auto* list = std::get_if<IValue::ListPtr>(&value.payload())) {
    for (const IValue& item : **list) keys = keys | keys_in(layout, item);
  }
  return keys;
}

bool is_optional_tensor(const CppType& type) {
  return type.is("optional") && type.of.front().is("Tensor");
}

/// DSP-204. Counts a fixed-size array like its boxed form; PyTorch ignores it (DSP-206).
bool contributes(const CppType& type, Deviations deviations) {
  if (type.is("Tensor") || type.is("Generator")) return true;
  if (is_optional_tensor(type)) return true;
  if (type.is("optional")) {
    return type.of.front().is("Generator");
  }
  if (type.is("ArrayRef")) return type.of.front().is("Tensor");
  if (type.is("List")) {
    return is_optional_tensor(type.of.front());
  }
  return type.is("array") && type.of.front().is("Tensor") && deviations == Deviations::kStrict;
}

}  // namespace

KeySet typed_argument_keys(const KeyLayout& layout, const CppSignature& signature,
                           const TypedArguments& arguments, Deviations deviations) {
  KeySet keys;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!contributes(signature.parameters[i], deviations)) continue;
    keys = keys | keys_in(layout, *arguments[i]);
  }
  return keys;
}

KeySet boxed_argument_keys(const KeyLayout& layout, const FunctionSchema& schema,
                           const Stack& stack) {
  KeySet keys;
  const std::size_t first = stack.size() - schema.arguments.size();
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (!is_dispatch_argument(schema.arguments[i].type)) continue;
    const IValue& value = stack[first + i];
    if (value.kind() == "Generator") continue;  // not what the schema wants, so it has no keys
    keys = keys | keys_in(layout, value);
  }
  return keys;
}

}  // namespace assay::reference
