// The arguments of core.op, by position or keyword according to the schema.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/core/math/operand.hpp"
#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"
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

}  // namespace assay::reference
