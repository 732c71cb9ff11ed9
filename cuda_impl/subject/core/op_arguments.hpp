// The arguments of core.op by position or keyword, in the operator's order.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cuda_impl/operators/losses.hpp"
#include "cuda_impl/operators/promotion.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// Each getter takes the next positional argument, or else the keyword. Getters raise `type` for a
/// wrong kind and for a missing argument without a fallback.
class OpArguments {
 public:
  explicit OpArguments(Call& call);

  /// The first argument if it is a number; otherwise it is not taken.
  std::optional<Scalar> number_first();
  Operand operand(std::string_view keyword);
  Tensor tensor(std::string_view keyword);
  /// Undefined if the argument is None or missing.
  Tensor tensor_or_none(std::string_view keyword);
  std::vector<Tensor> tensors(std::string_view keyword);
  Scalar scalar(std::string_view keyword, Scalar fallback);
  std::int64_t integer(std::string_view keyword);
  std::int64_t integer(std::string_view keyword, std::int64_t fallback);
  double real(std::string_view keyword, double fallback);
  bool boolean(std::string_view keyword, bool fallback);
  /// A single int counts as a list.
  std::optional<Shape> integers(std::string_view keyword);
  Shape required_integers(std::string_view keyword);
  std::optional<Dtype> dtype(std::string_view keyword);
  std::optional<std::string> text(std::string_view keyword);
  /// A reduction name; the mean by default. Raises `value` for another name.
  Reduction reduction();

  Release release() const { return call_.release(); }

  /// Throws NotSupported if some argument was not read.
  void done() const;

 private:
  /// Null if the argument is None or missing.
  const Value* next(std::string_view keyword);
  const Value& required(std::string_view keyword);
  Shape shape_of(std::string_view keyword, const Value& value) const;
  const Value* keyword_value(std::string_view keyword);
  Call& call_;
  const std::vector<Value>& positional_;
  std::size_t next_ = 0;
  const Dict* keywords_ = nullptr;
  std::size_t keywords_read_ = 0;
};

}  // namespace assay::cuda
