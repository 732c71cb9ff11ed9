// Formats the entries of `ran`.
#include "cuda_impl/subject/dispatch/ran_kernels.hpp"

#include "cuda_impl/dispatch/call/boxing.hpp"

namespace assay::cuda {
namespace {

/// Shows tensors as their dtype, plain values as they are, and others as their kind.
Value shown(const Boxed& boxed, Release release) {
  switch (boxed.kind()) {
    case BoxedKind::kNone:
      return {};
    case BoxedKind::kTensor:
      return to_waist(boxed.tensor().dtype());
    case BoxedKind::kString:
      return boxed.text();
    case BoxedKind::kDevice:
      return to_waist(boxed.device(), release);
    case BoxedKind::kList: {
      List list;
      for (const Boxed& item : boxed.list()) list.items.push_back(shown(item, release));
      return list;
    }
    case BoxedKind::kTuple:
    case BoxedKind::kDict:
    case BoxedKind::kGenerator:
      return name_of(boxed.kind());
    default:
      return value_of(boxed.to_scalar());
  }
}

/// A dtype is boxed as a number, so only the schema tells.
bool is_dtype(const dispatch::Table& table, std::size_t argument, const Boxed& boxed) {
  if (!boxed.is(BoxedKind::kInt) || !table.has_schema) return false;
  const auto arguments = table.state->definition->schema.arguments();
  return argument < arguments.size() &&
         arguments[argument].type.without_optional().is(dispatch::TypeKind::kScalarType);
}

}  // namespace

void RanKernels::started(const dispatch::KernelStart& start) {
  const dispatch::Table& table = *start.entry.table;
  const Release release = table.layout->release();
  List arguments;
  for (std::size_t i = 0; i < start.arguments.size(); ++i) {
    const Boxed& one = start.arguments[i];
    arguments.items.push_back(
        is_dtype(table, i, one) ? Value(to_waist(dispatch::dtype_numbered(one.integer(), release)))
                                : shown(one, release));
  }
  Dict entry;
  entry.items.emplace_back("kernel", start.label);
  entry.items.emplace_back("op", table.op->text());
  entry.items.emplace_back("key", name_of(start.entry.key));
  entry.items.emplace_back("keys", to_value(start.keys));
  entry.items.emplace_back("boxed", start.is_boxed);
  entry.items.emplace_back("arguments", std::move(arguments));
  entries_.items.emplace_back(std::move(entry));
}

}  // namespace assay::cuda
