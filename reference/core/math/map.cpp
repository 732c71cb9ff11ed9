// Implements functions of elements.
#include "reference/core/math/map.hpp"

#include "reference/core/tensor/factory.hpp"
#include "reference/core/tensor/view.hpp"
#include "reference/core/types/elements.hpp"

namespace assay::reference {
namespace {

std::vector<double> reals_of(const Operand& operand, const Shape& sizes) {
  if (const Tensor* tensor = tensor_in(operand)) return elements_of<double>(expand(*tensor, sizes));
  return std::vector<double>(static_cast<std::size_t>(numel_of(sizes)),
                             std::get<Scalar>(operand).real());
}

}  // namespace

Tensor map_real(Runtime& runtime, const char* name, const std::vector<Operand>& operands,
                ScalarType dtype, RealFunction function) {
  const Device device = elementwise_device(operands);
  const Shape sizes = broadcast_shape(operands);
  Tensor result =
      empty_strided(runtime, sizes, elementwise_strides(operands, sizes), dtype, device);
  count_launch(runtime, device);
  if (result.data() == nullptr) return result;
  std::vector<Operand> held;
  for (const Operand& operand : operands) {
    const Tensor* tensor = tensor_in(operand);
    if (tensor != nullptr) check_computes(tensor->dtype());
    held.push_back(tensor == nullptr ? operand : Operand(borrowed(*tensor)));
  }
  launch(runtime, device, name, [held, to = borrowed(result), function = std::move(function)] {
    std::vector<std::vector<double>> columns;
    for (const Operand& operand : held) columns.push_back(reals_of(operand, to.sizes()));
    std::vector<double> results(static_cast<std::size_t>(to.numel()));
    std::vector<double> row(columns.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
      for (std::size_t at = 0; at < row.size(); ++at) row[at] = columns[at][i];
      results[i] = function(row);
    }
    store_elements(to, results);
  });
  return result;
}

ScalarType real_type(const std::vector<Operand>& operands, const Contract& contract) {
  const ScalarType common = result_type(operands, contract);
  return is_integral(common, true) ? ScalarType::kFloat : common;
}

}  // namespace assay::reference
