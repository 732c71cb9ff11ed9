// Kernels of the tables.
#include "cuda_impl/aten/shapes/rows.hpp"

#include <algorithm>
#include <memory>

#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::Entry;
using dispatch::KeySet;
using dispatch::Stack;

std::string_view name_in(std::string_view schema) {
  return schema.substr(0, schema.find_first_of(".("));
}

void record(const ShapeRow& row, const ArgumentReader& given, const Results& results) {
  if (!grad_mode()) return;
  const std::vector<Tensor> tensors = given.all_tensors();
  for (const Boxed& result :
       std::span(results).first(std::min(results.size(), row.differentiable))) {
    if (!result.is_tensor()) continue;
    autograd::without_way_back(result.tensor(), tensors, name_in(row.schema));
  }
}

void run(const Entry& entry, KeySet keys, Stack& stack) {
  const dispatch::Table& table = *entry.table;
  dispatch::expect_depth(table, table.arguments, stack);
  dispatch::report_boxed_start(entry, keys, stack);
  const std::size_t first = stack.size() - table.arguments;
  const ArgumentReader given(std::span<const Boxed>(stack).subspan(first), table.layout->release());
  const auto& row = dispatch::functor_of<ShapeRow>(entry);
  Results results = row.rule(given);
  record(row, given, results);
  stack.resize(first);
  for (Boxed& result : results) stack.push_back(std::move(result));
}

}  // namespace

std::vector<Definition> shape_definitions() {
  std::vector<Definition> definitions;
  for (const auto rows : {convolution_rows, product_rows, window_rows, loss_rows,
                          factorization_rows, solver_rows, spectrum_rows, element_rows, cell_rows,
                          added_product_rows, computed_loss_rows, line_rows, power_rows}) {
    for (const ShapeRow& row : rows()) {
      // Non-owning, because the row is static.
      const std::shared_ptr<const ShapeRow> functor(std::shared_ptr<void>(), &row);
      definitions.push_back({row.schema, dispatch::Kernel::of_boxed(&run, functor), row.releases});
    }
  }
  return definitions;
}

}  // namespace assay::cuda::aten
