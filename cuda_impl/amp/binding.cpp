// Argument conversions of the operators' Python binding.
#include "cuda_impl/amp/binding.hpp"

#include <array>

#include "cuda_impl/core/scalar.hpp"

namespace assay::cuda {
namespace {

std::string kind_of(const Bindable& argument) {
  constexpr std::array kKinds = {"nothing", "bool", "int", "float"};
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return describe(*tensor);
  if (const auto* foreign = std::get_if<UnsupportedArgument>(&argument)) return foreign->kind;
  return kKinds[argument.index()];
}

/// Returns the tensor if it can stand for a number: 0-dim, without gradient, with memory. Otherwise
/// null.
const Tensor* number_tensor(const Bindable& argument) {
  const auto* tensor = std::get_if<Tensor>(&argument);
  if (tensor == nullptr || !tensor->defined()) return nullptr;
  const bool has_memory = !tensor->is_sparse() && !tensor->is_meta();
  const bool is_number = has_memory && tensor->dim() == 0 && !(*tensor)->requires_grad;
  return is_number ? tensor : nullptr;
}

}  // namespace

void refuse_argument(const Parameter& parameter, std::string_view wanted, std::string_view got) {
  throw Error(ErrorKind::kType, std::string(parameter.op) + "(): argument '" +
                                    std::string(parameter.name) + "' (position " +
                                    std::to_string(parameter.position) + ") must be " +
                                    std::string(wanted) + ", not " + std::string(got));
}

double bind_double(const Bindable& argument, const Parameter& parameter) {
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&argument))
    return static_cast<double>(*integer);
  if (const auto* truth = std::get_if<bool>(&argument)) return *truth ? 1.0 : 0.0;
  if (const Tensor* tensor = number_tensor(argument)) return read_number(*tensor);
  refuse_argument(parameter, "float", kind_of(argument));
}

std::int64_t bind_int(const Bindable& argument, const Parameter& parameter) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  const Tensor* tensor = number_tensor(argument);
  if (tensor != nullptr && facts(tensor->dtype()).is_integral) {
    return from_element(read_elements(*tensor).data(), tensor->dtype()).as<std::int64_t>();
  }
  refuse_argument(parameter, "int", kind_of(argument));
}

Tensor bind_tensor(const Bindable& argument, const Parameter& parameter) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return *tensor;
  refuse_argument(parameter, "Tensor", kind_of(argument));
}

}  // namespace assay::cuda
