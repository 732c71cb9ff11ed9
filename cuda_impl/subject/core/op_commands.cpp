// Area core: the operators that compute.
#include <unordered_map>

#include "cuda_impl/autocast/state.hpp"
#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/record.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"
#include "cuda_impl/operators/reduce.hpp"
#include "cuda_impl/operators/views.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/core/op_arguments.hpp"

namespace assay::cuda {
namespace {

using Operator = Tensor (*)(OpArguments& given);
using Operators = std::unordered_map<std::string, Operator>;

struct Pair {
  Operand left;
  Operand right;
};

Pair pair(OpArguments& given) {
  Operand left = given.operand("self");
  return {std::move(left), given.operand("other")};
}

Tensor run_add(OpArguments& given) {
  const Pair both = pair(given);
  return autograd::add(both.left, both.right, given.scalar("alpha", 1));
}

Tensor run_sub(OpArguments& given) {
  const Pair both = pair(given);
  return autograd::sub(both.left, both.right, given.scalar("alpha", 1));
}

Tensor run_mul(OpArguments& given) {
  const Pair both = pair(given);
  return autograd::mul(both.left, both.right, given.release());
}

Tensor run_div(OpArguments& given) {
  const Pair both = pair(given);
  return autograd::div(both.left, both.right, given.release());
}

Tensor run_neg(OpArguments& given) { return autograd::neg(given.tensor("self")); }
Tensor run_relu(OpArguments& given) { return autograd::relu(given.tensor("self")); }

Tensor run_mm(OpArguments& given) {
  const Tensor left = given.tensor("self");
  return autograd::mm(left, given.tensor("mat2"));
}

Tensor run_bmm(OpArguments& given) {
  const Tensor left = given.tensor("self");
  return autograd::bmm(left, given.tensor("mat2"));
}

Tensor run_mv(OpArguments& given) {
  const Tensor matrix = given.tensor("self");
  return autograd::mv(matrix, given.tensor("vec"));
}

Tensor run_dot(OpArguments& given) {
  const Tensor left = given.tensor("self");
  return autograd::dot(left, given.tensor("tensor"));
}

Tensor run_matmul(OpArguments& given) {
  const Tensor left = given.tensor("self");
  return autograd::matmul(left, given.tensor("other"));
}

Tensor run_addmm(OpArguments& given) {
  const Tensor bias = given.tensor("self");
  const Tensor left = given.tensor("mat1");
  const Tensor right = given.tensor("mat2");
  const Scalar beta = given.scalar("beta", 1);
  return autograd::addmm(bias, left, right, {beta, given.scalar("alpha", 1)});
}

Tensor run_linear(OpArguments& given) {
  const Tensor input = given.tensor("input");
  const Tensor weight = given.tensor("weight");
  return autograd::linear(input, weight, given.tensor_or_none("bias"));
}

/// Accepts an int or a list with one int.
std::int64_t only(const std::optional<Shape>& sizes, std::int64_t fallback) {
  if (!sizes) return fallback;
  require(sizes->size() == 1, ErrorKind::kType,
          [&] { return "conv1d takes one int here, but got " + to_text(*sizes); });
  return sizes->front();
}

Tensor run_conv1d(OpArguments& given) {
  const Tensor input = given.tensor("input");
  const Tensor weight = given.tensor("weight");
  const Tensor bias = given.tensor_or_none("bias");
  Conv1dOptions options;
  options.stride = only(given.integers("stride"), 1);
  options.padding = only(given.integers("padding"), 0);
  options.dilation = only(given.integers("dilation"), 1);
  options.groups = given.integer("groups", 1);
  return conv1d(input, weight, bias, options);
}

Reduced reduced(OpArguments& given) {
  Reduced result;
  result.dims = given.integers("dim").value_or(Shape());
  result.keepdim = given.boolean("keepdim", false);
  result.dtype = given.dtype("dtype");
  return result;
}

bool takes_everything(const Reduced& how) { return how.dims.empty() && !how.keepdim && !how.dtype; }

Tensor run_sum(OpArguments& given) {
  const Tensor tensor = given.tensor("self");
  return autograd::sum(tensor, reduced(given));
}

Tensor run_mean(OpArguments& given) {
  const Tensor tensor = given.tensor("self");
  return autograd::mean(tensor, reduced(given));
}

Tensor run_norm(OpArguments& given) {
  const Tensor tensor = given.tensor("self");
  const double order = given.real("p", 2);
  const Reduced how = reduced(given);
  return takes_everything(how) ? autograd::norm(tensor, order) : norm(tensor, order, how);
}

Tensor run_max(OpArguments& given) { return max(given.tensor("self")); }
Tensor run_any(OpArguments& given) { return any(given.tensor("self")); }

Tensor run_softmax(OpArguments& given) {
  const Tensor tensor = given.tensor("self");
  const std::int64_t dim = given.integer("dim");
  return autograd::softmax(tensor, dim, given.dtype("dtype"));
}

Tensor run_layer_norm(OpArguments& given) {
  const Tensor tensor = given.tensor("input");
  const Shape shape = given.required_integers("normalized_shape");
  LayerNormOptions options;
  options.weight = given.tensor_or_none("weight");
  options.bias = given.tensor_or_none("bias");
  options.eps = given.real("eps", options.eps);
  return autograd::layer_norm(tensor, shape, options);
}

Tensor run_mse_loss(OpArguments& given) {
  const Tensor input = given.tensor("input");
  const auto operands = autograd::mse_operands(input, given.tensor("target"));
  return autograd::mse_loss(operands.input, operands.target, given.reduction());
}

Tensor run_cat(OpArguments& given) {
  const std::vector<Tensor> tensors = given.tensors("tensors");
  return autograd::cat(tensors, given.integer("dim", 0));
}

Tensor run_stack(OpArguments& given) {
  const std::vector<Tensor> tensors = given.tensors("tensors");
  return autograd::stack(tensors, given.integer("dim", 0));
}

Tensor run_t(OpArguments& given) {
  const Tensor tensor = given.tensor("self");
  require(tensor.dim() <= 2, [&] {
    return "t() expects a tensor of at most 2 dimensions, but got " + describe(tensor);
  });
  return tensor.dim() == 2 ? autograd::transposed(tensor) : t(tensor);
}

Tensor run_reshape(OpArguments& given) {
  const Tensor tensor = given.tensor("self");
  return autograd::reshaped(tensor, given.integers("shape").value_or(Shape()));
}

const Operators::value_type& operator_named(const std::string& name) {
  static const Operators operators{{"add", run_add},
                                   {"sub", run_sub},
                                   {"mul", run_mul},
                                   {"div", run_div},
                                   {"neg", run_neg},
                                   {"relu", run_relu},
                                   {"mm", run_mm},
                                   {"bmm", run_bmm},
                                   {"mv", run_mv},
                                   {"dot", run_dot},
                                   {"matmul", run_matmul},
                                   {"addmm", run_addmm},
                                   {"linear", run_linear},
                                   {"conv1d", run_conv1d},
                                   {"sum", run_sum},
                                   {"mean", run_mean},
                                   {"norm", run_norm},
                                   {"max", run_max},
                                   {"any", run_any},
                                   {"softmax", run_softmax},
                                   {"layer_norm", run_layer_norm},
                                   {"mse_loss", run_mse_loss},
                                   {"cat", run_cat},
                                   {"stack", run_stack},
                                   {"t", run_t},
                                   {"reshape", run_reshape}};
  const auto found = operators.find(name);
  if (found == operators.end()) {
    throw NotSupported("core.op: there is no operator '" + name + "' here");
  }
  return *found;
}

/// In a region or a trace, calls the operator through the dispatcher.
Tensor result_of(Call& call, OpArguments& given, const Operators::value_type& named) {
  const auto& [name, run] = named;
  if (autocast::is_any_enabled() || dispatch::is_traced()) {
    if (const auto result = call_through_dispatcher(call, name, given)) return *result;
  }
  return run(given);
}

}  // namespace

void core_op(Call& call) {
  OpArguments given(call);
  const Operators::value_type& named = operator_named(call.arguments().text("name"));
  const Tensor result = result_of(call, given, named);
  given.done();
  // An operator without a derivative raises later, in backward.
  call.result(autograd::without_way_back(result, given.taken(), named.first));
}

void core_add_(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Value& other = call.arguments().value("other");
  const auto number = scalar_from(other);
  add_(tensor, number ? Operand(*number) : Operand(call.tensor_from(other)));
  call.result(tensor);
}

}  // namespace assay::cuda
