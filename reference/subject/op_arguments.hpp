// Arguments of core.op: by position or by keyword, as the operator's schema has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/core/operand.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Each argument is asked for once, in the schema's order; what is left over in the end is refused.
class OpArguments {
 public:
  explicit OpArguments(Call& call);

  /// The next positional argument, or the keyword; null when it is absent or None.
  const Value* next(std::string_view keyword);

  Tensor tensor(std::string_view keyword);
  Tensor tensor_or_none(std::string_view keyword);
  /// A tensor or a number.
  Operand operand(std::string_view keyword);
  double real(std::string_view keyword, double fallback);
  std::int64_t integer(std::string_view keyword, std::int64_t fallback);
  bool boolean(std::string_view keyword, bool fallback);
  Shape shape(std::string_view keyword);
  /// Throws NotSupported when something was not asked for.
  void done() const;

 private:
  const Value& need(std::string_view keyword);
  [[noreturn]] static void wrong(std::string_view keyword, std::string_view wanted,
                                 const Value& got);

  Call& call_;
  const std::vector<Value>& positional_;
  std::size_t next_ = 0;
  const Dict* keywords_ = nullptr;
  std::size_t keywords_read_ = 0;
};

}  // namespace assay::reference
