// Area core: the few operators that compute.
#include "reference/core/elementwise.hpp"
#include "reference/core/matmul.hpp"
#include "reference/core/reduce.hpp"
#include "reference/subject/core_commands.hpp"
#include "reference/subject/op_arguments.hpp"

namespace assay::reference {
namespace {

using Op = Tensor (*)(Runtime& runtime, OpArguments& arguments);

template <Binary kOp>
Tensor binary_op(Runtime& runtime, OpArguments& arguments) {
  const Operand self = arguments.operand("self");
  const Operand other = arguments.operand("other");
  arguments.done();
  if (tensor_in(self) == nullptr && tensor_in(other) == nullptr) {
    throw Error(ErrorKind::kType, "an operator needs at least one tensor");
  }
  return binary(runtime, kOp, self, other);
}

template <auto kOp>
Tensor unary_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor self = arguments.tensor("self");
  arguments.done();
  return kOp(runtime, self);
}

template <auto kOp>
Tensor product_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor self = arguments.tensor("self");
  const Tensor other = arguments.tensor("mat2");
  arguments.done();
  return kOp(runtime, self, other);
}

template <auto kOp>
Tensor reduce_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor self = arguments.tensor("self");
  ReduceOptions options;
  if (const Value* dim = arguments.next("dim")) {
    const auto* held = dim->get_if<std::int64_t>();
    if (held == nullptr) throw NotSupported("core.op: reduces over one dim, an int, or over all");
    options.dim = *held;
  }
  options.keep_dim = arguments.boolean("keepdim", false);
  arguments.done();
  return kOp(runtime, self, options);
}

Tensor addmm_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor input = arguments.tensor("self");
  const Tensor left = arguments.tensor("mat1");
  const Tensor right = arguments.tensor("mat2");
  const double beta = arguments.real("beta", 1);
  const double alpha = arguments.real("alpha", 1);
  arguments.done();
  return addmm(runtime, input, left, right, {beta, alpha});
}

Tensor linear_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor input = arguments.tensor("input");
  const Tensor weight = arguments.tensor("weight");
  const Tensor bias = arguments.tensor_or_none("bias");
  arguments.done();
  return linear(runtime, input, weight, bias);
}

Tensor conv1d_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor input = arguments.tensor("input");
  const Tensor weight = arguments.tensor("weight");
  const Tensor bias = arguments.tensor_or_none("bias");
  ConvOptions options;
  options.stride = arguments.integer("stride", 1);
  options.padding = arguments.integer("padding", 0);
  options.dilation = arguments.integer("dilation", 1);
  arguments.done();
  return conv1d(runtime, input, weight, bias, options);
}

Tensor softmax_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor self = arguments.tensor("self");
  const std::int64_t dim = arguments.integer("dim", -1);
  arguments.done();
  return softmax(runtime, self, dim);
}

Tensor layer_norm_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor input = arguments.tensor("input");
  LayerNormOptions options;
  options.normalized_shape = arguments.shape("normalized_shape");
  options.weight = arguments.tensor_or_none("weight");
  options.bias = arguments.tensor_or_none("bias");
  options.eps = arguments.real("eps", 1e-5);
  arguments.done();
  return layer_norm(runtime, input, options);
}

Reduction reduction_argument(OpArguments& arguments) {
  const Value* given = arguments.next("reduction");
  if (given == nullptr) return Reduction::kMean;
  const auto* word = given->get_if<std::string>();
  if (word != nullptr && *word == "mean") return Reduction::kMean;
  if (word != nullptr && *word == "sum") return Reduction::kSum;
  if (word != nullptr && *word == "none") return Reduction::kNone;
  throw Error(ErrorKind::kValue, "a reduction is 'none', 'mean' or 'sum'");
}

Tensor mse_loss_op(Runtime& runtime, OpArguments& arguments) {
  const Tensor input = arguments.tensor("input");
  const Tensor target = arguments.tensor("target");
  const Reduction reduction = reduction_argument(arguments);
  arguments.done();
  return mse_loss(runtime, input, target, reduction);
}

Op op_named(std::string_view name) {
  static const std::unordered_map<std::string_view, Op> ops{
      {"add", binary_op<Binary::kAdd>},
      {"sub", binary_op<Binary::kSub>},
      {"mul", binary_op<Binary::kMul>},
      {"div", binary_op<Binary::kDiv>},
      {"neg", unary_op<neg>},
      {"relu", unary_op<relu>},
      {"norm", unary_op<norm>},
      {"max", unary_op<max>},
      {"any", unary_op<any>},
      {"mm", product_op<mm>},
      {"bmm", product_op<bmm>},
      {"mv", product_op<mv>},
      {"dot", product_op<dot>},
      {"addmm", addmm_op},
      {"linear", linear_op},
      {"conv1d", conv1d_op},
      {"sum", reduce_op<sum>},
      {"mean", reduce_op<mean>},
      {"softmax", softmax_op},
      {"layer_norm", layer_norm_op},
      {"mse_loss", mse_loss_op},
  };
  const auto found = ops.find(name);
  return found == ops.end() ? nullptr : found->second;
}

void run_op(Call& call) {
  const std::string name = call.arguments().text("name");
  const Op op = op_named(name);
  if (op == nullptr) throw NotSupported("core.op: there is no operator '" + name + "' here");
  OpArguments arguments(call);
  call.result(op(call.runtime(), arguments));
}

void add_in_place(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Value& other = call.arguments().value("other");
  if (const auto number = scalar_from(other)) {
    return call.result(add_(call.runtime(), tensor, *number));
  }
  call.result(add_(call.runtime(), tensor, call.tensor_from(other)));
}

}  // namespace

void add_core_op_commands(CommandTable& table) {
  table.add("core.op", run_op);
  table.add("core.add_", add_in_place);
}

}  // namespace assay::reference
