// Area core: arithmetic operators, called through the dispatcher.
#include "reference/core/math/elementwise.hpp"
#include "reference/dispatch/dispatcher_of.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/history.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/op_arguments.hpp"

namespace assay::reference {
namespace {

/// The operators of one command name, by the form of the arguments.
struct NamedOp {
  std::string_view op;
  std::string_view with_number = {};  ///< if the second argument is a number
  std::string_view with_dims = {};    ///< if dimensions are given
};

const NamedOp* op_named(std::string_view name) {
  static const std::unordered_map<std::string_view, NamedOp> ops{
      {"add", {"aten::add.Tensor", "aten::add.Scalar"}},
      {"sub", {"aten::sub.Tensor", "aten::sub.Scalar"}},
      {"mul", {"aten::mul.Tensor", "aten::mul.Scalar"}},
      {"div", {"aten::div.Tensor", "aten::div.Scalar"}},
      {"neg", {"aten::neg"}},
      {"relu", {"aten::relu"}},
      {"norm", {"aten::norm.Scalar"}},
      {"max", {"aten::max"}},
      {"any", {"aten::any"}},
      {"mm", {"aten::mm"}},
      {"bmm", {"aten::bmm"}},
      {"mv", {"aten::mv"}},
      {"dot", {"aten::dot"}},
      {"matmul", {"aten::matmul"}},
      {"addmm", {"aten::addmm"}},
      {"linear", {"aten::linear"}},
      {"conv1d", {"aten::conv1d"}},
      {"sum", {"aten::sum", {}, "aten::sum.dim_IntList"}},
      {"mean", {"aten::mean", {}, "aten::mean.dim"}},
      {"softmax", {"aten::softmax.int"}},
      {"layer_norm", {"aten::layer_norm"}},
      {"mse_loss", {"aten::mse_loss"}},
      {"cat", {"aten::cat"}},
      {"stack", {"aten::stack"}},
      {"t", {"aten::t"}},
      {"reshape", {"aten::reshape"}},
  };
  const auto found = ops.find(name);
  return found == ops.end() ? nullptr : &found->second;
}

std::string_view overload_of(const NamedOp& named, const OpArguments& arguments) {
  if (!named.with_number.empty() && arguments.is_number(1, "other")) return named.with_number;
  const bool has_dims = arguments.has(1, "dim") || arguments.has(2, "keepdim");
  return has_dims && !named.with_dims.empty() ? named.with_dims : named.op;
}

/// Sparse tensors and norms are supported only in part.
void check_offered(const std::string& name, const Stack& stack) {
  for (const IValue& value : stack) {
    const bool is_sparse =
        value.kind() == "Tensor" && value.to_tensor().defined() && value.to_tensor().is_sparse();
    if (is_sparse) throw NotSupported("core.op: " + name + " of sparse tensors is not here");
  }
  const bool has_order = name == "norm" && stack.size() > 1 && stack[1].kind() != "None";
  if (has_order && stack[1].to_scalar().real() != 2) {
    throw NotSupported("core.op: of norms the Euclidean one alone is here");
  }
}

/// There is no operator with a number on the left of a tensor.
void run_with_number_first(Call& call, const std::string& name, OpArguments& arguments) {
  static const std::unordered_map<std::string_view, Binary> ops{
      {"add", Binary::kAdd}, {"sub", Binary::kSub}, {"mul", Binary::kMul}, {"div", Binary::kDiv}};
  const Operand self = arguments.operand("self");
  const Operand other = arguments.operand("other");
  arguments.done();
  const Tensor* tensor = tensor_in(other);
  check(tensor != nullptr, ErrorKind::kType,
        [] { return "an operator needs at least one tensor"; });
  call.result(with_number_first(dispatcher_of(call.runtime()), ops.at(name), std::get<Scalar>(self),
                                *tensor));
}

}  // namespace

void core_op(Call& call) {
  const std::string name = call.arguments().text("name");
  const NamedOp* named = op_named(name);
  if (named == nullptr) throw NotSupported("core.op: there is no operator '" + name + "' here");
  OpArguments arguments(call);
  if (!named->with_number.empty() && arguments.is_number(0, "self")) {
    return run_with_number_first(call, name, arguments);
  }
  Dispatcher& dispatcher = dispatcher_of(call.runtime());
  const OperatorHandle op = dispatcher.op(overload_of(*named, arguments));
  Stack stack = arguments.boxed(op.schema());
  arguments.done();
  check_offered(name, stack);
  if (name == "mse_loss") broadcast_loss(dispatcher, stack[0], stack[1]);
  call.result(dispatcher.call(op, std::move(stack)).back().to_tensor());
}

void core_add_(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const Value& other = call.arguments().value("other");
  if (const auto number = scalar_from(other)) {
    return call.result(add_(call.runtime(), tensor, *number));
  }
  const Tensor source = call.tensor_from(other);
  if (source.is_sparse() && !tensor.is_sparse()) {
    throw NotSupported("core.add_: adding sparse to strided is not here");
  }
  call.result(add_(call.runtime(), tensor, source));
}

}  // namespace assay::reference
