// Arguments of core.op: by position or by keyword, in the order in which an operator takes them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cuda_impl/operators/normalize.hpp"
#include "cuda_impl/operators/operand.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// Each getter takes the next positional argument, or else the one of its keyword. They raise
/// `type` for a kind that does not fit, and for what is missing and has no fallback.
class OpArguments {
 public:
  explicit OpArguments(Call& call);

  Operand operand(std::string_view keyword);
  Tensor tensor(std::string_view keyword);
  /// Undefined for None, and for what is missing.
  Tensor tensor_or_none(std::string_view keyword);
  std::vector<Tensor> tensors(std::string_view keyword);
  Scalar scalar(std::string_view keyword, Scalar fallback);
  std::int64_t integer(std::string_view keyword, std::int64_t fallback);
  double real(std::string_view keyword, double fallback);
  bool boolean(std::string_view keyword, bool fallback);
  /// A lone int is a list of one.
  std::optional<Shape> integers(std::string_view keyword);
  std::optional<Dtype> dtype(std::string_view keyword);
  std::optional<std::string> text(std::string_view keyword);
  /// A word; the mean where there is none. Raises `value` for another one.
  Reduction reduction();

  Release release() const { return call_.release(); }
  /// All tensors that were taken, for what gradients need.
  const std::vector<Tensor>& taken() const { return taken_; }

  /// Throws NotSupported where something was not asked for.
  void done() const;

 private:
  /// Null for None, and for what is missing.
  const Value* next(std::string_view keyword);
  const Value& required(std::string_view keyword);
  const Value* keyword_value(std::string_view keyword);
  Tensor made(const Value& value);

  Call& call_;
  const std::vector<Value>& positional_;
  std::size_t next_ = 0;
  const Dict* keywords_ = nullptr;
  std::size_t keywords_read_ = 0;
  std::vector<Tensor> taken_;
};

}  // namespace assay::cuda
