// Arguments of core.op: by position or by keyword, as the operator's schema has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/core/math/operand.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// What is left over in the end is refused.
class OpArguments {
 public:
  explicit OpArguments(Call& call);

  /// Is there such an argument, other than None?
  bool has(std::size_t position, std::string_view keyword) const;
  bool is_number(std::size_t position, std::string_view keyword) const;

  /// The next one, a tensor or a number.
  Operand operand(std::string_view keyword);
  /// All of them, in the schema's order; its defaults for those that are absent. Raises `type` for
  /// one that is missing or of a wrong kind.
  Stack boxed(const FunctionSchema& schema);
  /// Throws NotSupported when something was not asked for.
  void done() const;

 private:
  const Value* find(std::size_t position, std::string_view keyword) const;
  /// The next positional argument, or the keyword; null when it is absent or None.
  const Value* next(std::string_view keyword);
  IValue boxed_value(const SchemaArgument& argument, const Value& value);

  Call& call_;
  const std::vector<Value>& positional_;
  std::size_t next_ = 0;
  const Dict* keywords_ = nullptr;
  std::size_t keywords_read_ = 0;
};

}  // namespace assay::reference
