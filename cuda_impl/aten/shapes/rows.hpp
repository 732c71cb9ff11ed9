// Tables of operators on autocast's lists, many of which compute only dtypes and shapes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cuda_impl/aten/library.hpp"
#include "cuda_impl/aten/shapes/argument_reader.hpp"
#include "cuda_impl/aten/shapes/arithmetic.hpp"

namespace assay::cuda::aten {

/// The results of a call.
using Results = std::vector<Boxed>;
using ShapeRule = Results (*)(const ArgumentReader& given);

struct ShapeRow {
  const char* schema;  ///< without the namespace
  ShapeRule rule;
  std::size_t differentiable = 8;  ///< so many of the first results may have a history
  autocast::Releases releases = {};
};

// Grouped by purpose.
std::span<const ShapeRow> convolution_rows();
std::span<const ShapeRow> product_rows();
std::span<const ShapeRow> window_rows();
std::span<const ShapeRow> loss_rows();
std::span<const ShapeRow> factorization_rows();
std::span<const ShapeRow> solver_rows();
std::span<const ShapeRow> spectrum_rows();
std::span<const ShapeRow> element_rows();
std::span<const ShapeRow> cell_rows();
// With elements.
std::span<const ShapeRow> added_product_rows();
std::span<const ShapeRow> computed_loss_rows();
std::span<const ShapeRow> line_rows();
std::span<const ShapeRow> power_rows();

/// One kernel for each row, for all devices. The backward of a result to which the rule gave no
/// history raises `NoDerivative`.
std::vector<Definition> shape_definitions();

}  // namespace assay::cuda::aten
