// Area core: arithmetic operators, called through the dispatcher; their arguments, by position or
// keyword according to the schema.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/core/math/elementwise.hpp"
#include "reference/core/math/operand.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"
#include "reference/operators/call.hpp"
#include "reference/operators/history.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Rejects arguments that were not read.
class OpArguments {
 public:
  explicit OpArguments(Call& call);

  /// Returns whether the argument exists and is not None.
  bool has(std::size_t position, std::string_view keyword) const;
  bool is_number(std::size_t position, std::string_view keyword) const;

  /// Takes the next argument: a tensor or a number.
  Operand operand(std::string_view keyword);
  /// Takes all arguments in schema order and adds defaults. Raises `type` for a missing argument or
  /// one of the wrong kind.
  Stack boxed(const FunctionSchema& schema);
  /// Throws NotSupported if an argument has not been read.
  void done() const;

 private:
  const Value* find(std::size_t position, std::string_view keyword) const;
  /// Takes the next positional argument or the keyword; null if it is absent or None.
  const Value* next(std::string_view keyword);
  IValue boxed_value(const SchemaArgument& argument, const Value& value);

  Call& call_;
  const std::vector<Value>& positional_;
  std::size_t next_ = 0;
  const Dict* keywords_ = nullptr;
  std::size_t keywords_read_ = 0;
};

namespace {

[[noreturn]] void refuse(std::string_view keyword, std::string_view wanted, const Value& got) {
  throw Error(ErrorKind::kType, "argument '" + std::string(keyword) + "' must be " +
                                    std::string(wanted) + ", not " + std::string(kind_of(got)));
}

/// The number of `none`, `mean` or `sum`.
std::int64_t reduction_named(const std::string& word) {
  if (word == "none") return 0;
  if (word == "mean") return 1;
  if (word == "sum") return 2;
  throw Error(ErrorKind::kValue, "a reduction is 'none', 'mean' or 'sum'");
}

bool is_ints(const SchemaType& type) {
  const std::string text = to_text(type);
  return text == "int[]" || text == "SymInt[]" || text == "int[]?" || text == "SymInt[]?";
}

bool is_tensor(const Value& value) {
  return value.tensor() != nullptr || value.sparse() != nullptr || value.is<Ref>();
}

/// Whether the value is a list or tuple of such elements.
template <typename Is>
bool is_list_of(const Value& value, const Is& is) {
  const auto* list = value.get_if<List>();
  const auto* tuple = value.get_if<Tuple>();
  if (list == nullptr && tuple == nullptr) return false;
  return std::ranges::all_of(list != nullptr ? list->items : tuple->items, is);
}

/// The expected kind, as messages name it; empty if the value matches.
std::string_view wanted_for(const SchemaType& type, const Value& value) {
  const std::string text = to_text(type);
  const bool is_number = scalar_from(value).has_value();
  if (text == "Tensor" || text == "Tensor?") {
    return is_tensor(value) ? "" : "Tensor";
  }
  if (text == "int" || text == "SymInt") return value.is<std::int64_t>() ? "" : "an int";
  if (text == "bool") return value.is<bool>() ? "" : "a bool";
  if (text == "float" || text == "Scalar" || text == "Scalar?") return is_number ? "" : "a number";
  if (is_ints(type)) {
    const auto is_int = [](const Value& one) { return one.is<std::int64_t>(); };
    return is_int(value) || is_list_of(value, is_int) ? "" : "a list of ints";
  }
  if (text == "Tensor[]") return is_list_of(value, is_tensor) ? "" : "a list of tensors";
  return "";
}

IValue one_int(const Value& value) {
  return IValue(
      std::make_shared<IValue::List>(IValue::List{IValue(*value.get_if<std::int64_t>())}));
}

}  // namespace

OpArguments::OpArguments(Call& call) : call_(call), positional_(call.arguments().items("args")) {
  const Value* keywords = call.arguments().optional("kwargs");
  if (keywords == nullptr || keywords->is_none()) return;
  keywords_ = keywords->get_if<Dict>();
  if (keywords_ == nullptr) throw InvalidArgument("core.op: 'kwargs' must be a dict");
}

const Value* OpArguments::find(std::size_t position, std::string_view keyword) const {
  if (position < positional_.size()) return &positional_[position];
  if (keywords_ == nullptr) return nullptr;
  for (const auto& [key, value] : keywords_->items) {
    const auto* name = key.get_if<std::string>();
    if (name != nullptr && *name == keyword) return &value;
  }
  return nullptr;
}

bool OpArguments::has(std::size_t position, std::string_view keyword) const {
  const Value* found = find(position, keyword);
  return found != nullptr && !found->is_none();
}

bool OpArguments::is_number(std::size_t position, std::string_view keyword) const {
  const Value* found = find(position, keyword);
  return found != nullptr && scalar_from(*found).has_value();
}

const Value* OpArguments::next(std::string_view keyword) {
  const bool is_positional = next_ < positional_.size();
  const Value* found = find(next_, keyword);
  if (is_positional) {
    ++next_;
  } else if (found != nullptr) {
    ++keywords_read_;
  }
  return found == nullptr || found->is_none() ? nullptr : found;
}

Operand OpArguments::operand(std::string_view keyword) {
  const Value* found = next(keyword);
  check(found != nullptr, ErrorKind::kType,
        [&] { return "missing the argument '" + std::string(keyword) + "'"; });
  if (const auto number = scalar_from(*found)) return *number;
  return call_.tensor_from(*found);
}

IValue OpArguments::boxed_value(const SchemaArgument& argument, const Value& value) {
  if (const auto* word = value.get_if<std::string>(); word && argument.name == "reduction") {
    return IValue(reduction_named(*word));
  }
  if (const auto wanted = wanted_for(argument.type, value); !wanted.empty()) {
    refuse(argument.name, wanted, value);
  }
  if (argument.type.kind == TypeKind::kTensor) return IValue(call_.tensor_from(value));
  if (is_ints(argument.type) && value.is<std::int64_t>()) return one_int(value);
  if (const auto* tuple = value.get_if<Tuple>()) return ivalue_from(call_, List{tuple->items});
  return ivalue_from(call_, value);
}

Stack OpArguments::boxed(const FunctionSchema& schema) {
  Stack stack;
  for (const SchemaArgument& argument : schema.arguments) {
    const Value* found = next(argument.name);
    // Some schemas have `self` for the `input` of modules.
    if (found == nullptr && argument.name == "self") found = next("input");
    if (found != nullptr) {
      stack.push_back(boxed_value(argument, *found));
    } else {
      const bool may_be_none = argument.type.kind == TypeKind::kOptional;
      check(argument.default_value || may_be_none, ErrorKind::kType,
            [&] { return "missing the argument '" + argument.name + "'"; });
      stack.push_back(argument.default_value.value_or(IValue()));
    }
  }
  return stack;
}

void OpArguments::done() const {
  const std::size_t keywords = keywords_ == nullptr ? 0 : keywords_->items.size();
  if (next_ >= positional_.size() && keywords_read_ == keywords) return;
  throw NotSupported("core.op: the operator takes no such argument here");
}

// The operators.

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
