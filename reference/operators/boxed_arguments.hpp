// The arguments of a boxed call, read by their place in the schema.
#pragma once

#include <optional>
#include <vector>

#include "reference/core/math/operand.hpp"
#include "reference/dispatch/registry/kernel.hpp"

namespace assay::reference {

/// A boxed dtype is its number. Raises `error` for a number that the release does not have.
ScalarType dtype_numbered(std::int64_t number, Release release);

/// Took the arguments off the stack.
class BoxedArguments {
 public:
  BoxedArguments(std::vector<IValue> values, Release release)
      : values_(std::move(values)), release_(release) {}

  std::size_t size() const { return values_.size(); }
  const IValue& operator[](std::size_t at) const { return values_.at(at); }
  const std::vector<IValue>& values() const { return values_; }

  bool is_none(std::size_t at) const { return values_.at(at).kind() == "None"; }
  /// Undefined where the argument is None.
  Tensor tensor(std::size_t at) const;
  std::vector<Tensor> tensors(std::size_t at) const;
  Scalar scalar(std::size_t at) const { return values_.at(at).to_scalar(); }
  /// Of any number.
  double real(std::size_t at) const { return scalar(at).real(); }
  std::int64_t integer(std::size_t at) const { return values_.at(at).to_int(); }
  bool boolean(std::size_t at) const;
  /// Empty for None.
  std::vector<std::int64_t> integers(std::size_t at) const;
  std::optional<ScalarType> dtype(std::size_t at) const;

  /// Every tensor, those in lists too, in order.
  std::vector<Tensor> all_tensors() const;

 private:
  std::vector<IValue> values_;
  Release release_;
};

/// Takes as many values off the stack as the operator's schema has arguments.
BoxedArguments take_arguments(const OperatorHandle& op, Stack& stack);

}  // namespace assay::reference
