// Calls of operators: the arguments of a boxed call, by schema position, and calls by name, for
// derivatives and composite operators.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/core/math/operand.hpp"
#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// Raises `error` for a number that is not a dtype in the release.
ScalarType dtype_numbered(std::int64_t number, Release release);

/// The arguments, popped from the stack.
class BoxedArguments {
 public:
  BoxedArguments(std::vector<IValue> values, Release release)
      : values_(std::move(values)), release_(release) {}

  std::size_t size() const { return values_.size(); }
  const IValue& operator[](std::size_t at) const { return values_.at(at); }
  const std::vector<IValue>& values() const { return values_; }

  bool is_none(std::size_t at) const { return values_.at(at).kind() == "None"; }
  /// Undefined if the argument is None.
  Tensor tensor(std::size_t at) const;
  std::vector<Tensor> tensors(std::size_t at) const;
  Scalar scalar(std::size_t at) const { return values_.at(at).to_scalar(); }
  /// Accepts any number.
  double real(std::size_t at) const { return scalar(at).real(); }
  std::int64_t integer(std::size_t at) const { return values_.at(at).to_int(); }
  bool boolean(std::size_t at) const;
  /// Empty if the argument is None.
  std::vector<std::int64_t> integers(std::size_t at) const;
  std::optional<ScalarType> dtype(std::size_t at) const;

  /// All tensors in order, including those in lists.
  std::vector<Tensor> all_tensors() const;

 private:
  std::vector<IValue> values_;
  Release release_;
};

/// Pops the arguments of the operator, as many as its schema has.
BoxedArguments take_arguments(const OperatorHandle& op, Stack& stack);

/// Appends the schema's defaults to `args`. Raises
/// `schema` if a required argument is missing.
Stack with_defaults(const FunctionSchema& schema, Stack args);

/// Calls through the dispatcher: `call_op(dispatcher, "aten::mm", {IValue(a), IValue(b)})`.
Stack call_op(Dispatcher& dispatcher, std::string_view name, Stack args);
/// Returns the single tensor result.
Tensor call_tensor(Dispatcher& dispatcher, std::string_view name, Stack args);

IValue boxed(const std::vector<std::int64_t>& values);
IValue boxed(const std::vector<Tensor>& values);
/// torch.nn.functional.mse_loss broadcasts, with a warning, before it calls the operator (CORE-22).
void broadcast_loss(Dispatcher& dispatcher, IValue& input, IValue& target);

/// Boxes the undefined tensor as None.
IValue boxed_or_none(const Tensor& tensor);

}  // namespace assay::reference
