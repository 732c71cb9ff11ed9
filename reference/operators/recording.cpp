// Results of operators without computation.
#include "reference/operators/recording.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "reference/autograd/steps.hpp"
#include "reference/core/tensor/factory.hpp"
#include "reference/core/types/dtype.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/rows.hpp"

namespace assay::reference {
namespace {

using Names = std::initializer_list<std::string_view>;

bool is_among(std::string_view name, Names names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Real functions: integer inputs become float32.
bool is_real_function(std::string_view name) {
  return is_among(
      name, {"aten::acos", "aten::asin", "aten::atan2", "aten::cosh", "aten::erfinv", "aten::exp",
             "aten::expm1", "aten::log", "aten::log10", "aten::log1p", "aten::log2",
             "aten::reciprocal", "aten::rsqrt", "aten::sinh", "aten::tan"});
}

bool is_comparison(std::string_view name) {
  return is_among(name, {"aten::eq", "aten::ge", "aten::gt", "aten::le", "aten::lt", "aten::ne"});
}

/// Integers are accumulated in int64.
bool is_accumulation(std::string_view name) {
  return is_among(name, {"aten::sum", "aten::prod", "aten::cumsum", "aten::cumprod"});
}

/// The dtype argument of the call, if there is one.
std::optional<ScalarType> asked_dtype(const FunctionSchema& schema, const BoxedArguments& args) {
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.arguments[i].name == "dtype") return args.dtype(i);
  }
  return std::nullopt;
}

/// Skips lists of optional tensors, which are indices and do not affect the result's dtype.
std::vector<Operand> operands_of(const FunctionSchema& schema, const BoxedArguments& args) {
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    if (to_text(schema.arguments[i].type) == "Tensor?[]") continue;
    const BoxedArguments one({args[i]}, kNewestRelease);
    for (const Tensor& tensor : one.all_tensors()) {
      if (tensor.defined()) operands.emplace_back(tensor);
    }
  }
  return operands;
}

ScalarType result_dtype(const FunctionSchema& schema, const BoxedArguments& args,
                        const Contract& contract) {
  if (const auto asked = asked_dtype(schema, args)) return *asked;
  const std::vector<Operand> operands = operands_of(schema, args);
  if (operands.empty()) return ScalarType::kFloat;
  if (is_comparison(schema.name.name)) return ScalarType::kBool;
  const ScalarType common = result_type(operands, contract);
  if (schema.name.name == "aten::polar") return complex_of(common);
  if (schema.name.name == "aten::rms_norm") return args.tensor(0).dtype();
  if (!is_integral(common, true)) return common;
  if (is_real_function(schema.name.name)) return ScalarType::kFloat;
  return is_accumulation(schema.name.name) ? ScalarType::kLong : common;
}

using SizeRule = Shape (*)(const BoxedArguments& args);

Shape without_dim(Shape sizes, std::int64_t dim) {
  const std::int64_t at = wrap_dim(dim, std::max<std::int64_t>(1, std::ssize(sizes)));
  if (!sizes.empty()) sizes.erase(sizes.begin() + at);
  return sizes;
}

Shape both(const BoxedArguments& args) {
  return broadcast_shapes(args.tensor(0).sizes(), args.tensor(1).sizes());
}

Shape one_number(const BoxedArguments&) { return {}; }
Shape self(const BoxedArguments& args) { return args.tensor(0).sizes(); }
Shape all_three(const BoxedArguments& args) {
  return broadcast_shapes(both(args), args.tensor(2).sizes());
}
Shape rows(const BoxedArguments& args) { return without_dim(self(args), -1); }
Shape rows_of_targets(const BoxedArguments& args) {
  return broadcast_shapes(without_dim(both(args), -1), args.tensor(2).sizes());
}
Shape rows_of_triplets(const BoxedArguments& args) { return without_dim(all_three(args), -1); }

/// One loss for each element, or a single number if the argument demands a reduction.
template <std::size_t kReduction, SizeRule kUnreduced>
Shape loss(const BoxedArguments& args) {
  const std::int64_t reduction = args.integer(kReduction);
  check(reduction >= 0 && reduction <= 2,
        [&] { return std::to_string(reduction) + " is not a valid reduction"; });
  return reduction == 0 ? kUnreduced(args) : Shape{};
}

/// Without the dimensions of argument `kDims`, or with sizes of 1 there.
template <std::size_t kDims = 1>
Shape along_dims(const BoxedArguments& args) {
  return reduced_sizes(args.tensor(0), {args.integers(kDims), args.boolean(kDims + 1)});
}

Shape of_a_matrix(const BoxedArguments& args) {
  return reduced_sizes(args.tensor(0), {{-2, -1}, args.boolean(1)});
}

/// One number for each pair of vectors.
Shape of_vectors(const BoxedArguments& args) { return without_dim(both(args), args.integer(2)); }

/// One number for each row of the first and each of the second.
Shape of_all_pairs(const BoxedArguments& args) {
  const auto split = [](Shape sizes) {
    check(sizes.size() >= 2, [] { return "cdist takes rows of vectors"; });
    const std::int64_t count = sizes[sizes.size() - 2];
    sizes.resize(sizes.size() - 2);
    return std::pair(sizes, count);
  };
  const auto [left_batch, left] = split(args.tensor(0).sizes());
  const auto [right_batch, right] = split(args.tensor(1).sizes());
  Shape sizes = broadcast_shapes(left_batch, right_batch);
  sizes.insert(sizes.end(), {left, right});
  return sizes;
}

Shape of_own_pairs(const BoxedArguments& args) {
  const std::int64_t rows = self(args).at(0);
  return {rows * (rows - 1) / 2};
}

Shape bilinear(const BoxedArguments& args) {
  Shape sizes = rows(args);
  sizes.push_back(args.tensor(2).sizes().at(0));
  return sizes;
}

/// A sample of each channel for each point of the grid, whose last dimension has the coordinates.
Shape sampled(const BoxedArguments& args) {
  const Shape input = self(args);
  const Shape grid = args.tensor(1).sizes();
  const bool fits = input.size() == grid.size() && input.size() > 3 &&
                    input.front() == grid.front() && grid.back() == std::ssize(input) - 2;
  check(fits, [&] {
    return "grid_sampler: a grid of " + to_text(grid) + " does not fit an input of " +
           to_text(input);
  });
  Shape sizes(grid.begin(), grid.end() - 1);
  sizes.insert(sizes.begin() + 1, input[1]);
  return sizes;
}

const std::map<std::string, SizeRule, std::less<>>& rules() {
  static const std::map<std::string, SizeRule, std::less<>> known = {
      {"aten::trace", one_number},
      {"aten::vdot", one_number},
      {"aten::frobenius_norm", one_number},
      {"aten::frobenius_norm.dim", along_dims<>},
      {"aten::nuclear_norm", of_a_matrix},
      {"aten::nuclear_norm.dim", along_dims<>},
      {"aten::linalg_matrix_norm", along_dims<2>},
      {"aten::linalg_matrix_norm.str_ord", along_dims<2>},
      {"aten::cdist", of_all_pairs},
      {"aten::pdist", of_own_pairs},
      {"aten::bilinear", bilinear},
      {"aten::grid_sampler", sampled},
      {"aten::grid_sampler_2d", sampled},
      {"aten::grid_sampler_3d", sampled},
      {"aten::_grid_sampler_2d_cpu_fallback", sampled},
      {"aten::polar", both},
      {"aten::linalg_vecdot", of_vectors},
      {"aten::cosine_similarity", of_vectors},
      {"aten::cosine_embedding_loss", loss<4, rows_of_targets>},
      {"aten::multilabel_margin_loss", loss<2, rows>},
      {"aten::multi_margin_loss", loss<5, rows>},
      {"aten::triplet_margin_loss", loss<7, rows_of_triplets>},
  };
  return known;
}

/// Empty if the result has the shape of the first tensor (CAST-1006).
std::optional<Shape> result_sizes(const OperatorName& name, const BoxedArguments& args) {
  const auto rule = rules().find(to_text(name));
  if (rule == rules().end()) return std::nullopt;
  return rule->second(args);
}

struct Outline {
  ScalarType dtype;
  std::optional<Shape> sizes;  ///< empty: as the first argument
};

/// Returns an additional result with the first argument's device.
Tensor tensor_like(Runtime& runtime, const std::vector<Operand>& operands, const Outline& outline) {
  if (operands.empty()) return empty(runtime, {}, outline.dtype, kCpuDevice);
  const Tensor& first = std::get<Tensor>(operands.front());
  if (has_no_data(first)) return without_data(first, outline.dtype);
  const Tensor made =
      empty(runtime, outline.sizes.value_or(first.sizes()), outline.dtype, first.device());
  made.impl()->key_set = first.impl()->key_set;
  return made;
}

IValue result_of(const SchemaType& type, Runtime& runtime, const std::vector<Operand>& operands,
                 const Outline& outline) {
  switch (type.kind) {
    case TypeKind::kTensor:
      return IValue(tensor_like(runtime, operands, outline));
    case TypeKind::kBool:
      return IValue(true);
    case TypeKind::kInt:
    case TypeKind::kSymInt:
      return IValue(std::int64_t{0});
    case TypeKind::kFloat:
    case TypeKind::kScalar:
      return IValue(0.0);
    case TypeKind::kList: {
      IValue::List items{result_of(type.items.front(), runtime, operands, outline)};
      return IValue(std::make_shared<IValue::List>(std::move(items)));
    }
    default:
      return IValue();
  }
}

}  // namespace

Kernel recording_kernel() {
  return Kernel::boxed([](const OperatorHandle& op, KeySet, Stack& stack) {
    const FunctionSchema schema = op.schema();
    Runtime& runtime = op.dispatcher().runtime();
    const BoxedArguments args = take_arguments(op, stack);
    const std::vector<Operand> operands = operands_of(schema, args);
    const bool is_probed = !operands.empty() && has_no_data(std::get<Tensor>(operands.front()));
    const Outline outline{.dtype = result_dtype(schema, args, runtime.contract()),
                          .sizes = is_probed ? std::nullopt : result_sizes(schema.name, args)};
    for (const SchemaArgument& returned : schema.returns) {
      stack.push_back(result_of(returned.type, runtime, operands, outline));
    }
  });
}

}  // namespace assay::reference
