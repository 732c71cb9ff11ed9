// Kernels of the tables.
#include "cuda_impl/aten/shapes/rows.hpp"

#include <memory>

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda::aten {
namespace {

using dispatch::Entry;
using dispatch::KeySet;
using dispatch::Stack;

void run(const Entry& entry, KeySet keys, Stack& stack) {
  const dispatch::Table& table = *entry.table;
  dispatch::expect_depth(table, table.arguments, stack);
  dispatch::report_boxed_start(entry, keys, stack);
  const std::size_t first = stack.size() - table.arguments;
  const ArgumentReader given(std::span<const Boxed>(stack).subspan(first), table.layout->release());
  Results results = dispatch::functor_of<ShapeRow>(entry).rule(given);
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
      definitions.push_back({row.schema, dispatch::Kernel::of_boxed(&run, functor)});
    }
  }
  return definitions;
}

}  // namespace assay::cuda::aten
