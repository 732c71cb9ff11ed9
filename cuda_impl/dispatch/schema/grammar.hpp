// The parts of the grammar of schemas that are read apart: types with their annotations, defaults.
#pragma once

#include <optional>
#include <string>

#include "cuda_impl/dispatch/schema/lexer.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// One text that is being read.
struct Reading {
  Lexer lexer;
  Contract contract;
  int fresh_sets = 0;  ///< how often `!` stood alone (DSP-307)
};

struct AnnotatedType {
  Type type;
  std::optional<AliasInfo> alias;
  std::optional<std::int64_t> size;
};

/// Of an argument or a return: the one place where a list may have a size.
AnnotatedType read_argument_type(Reading& reading);

/// One constant as it is written; only a number goes by the type: `1` is a float for a float.
Constant read_constant(Reading& reading, const Type& type);
/// Without its quotes and escapes.
std::string text_of_literal(std::string_view literal);

/// What follows `=` (DSP-308).
Constant read_default(Reading& reading, const Argument& argument);

/// How a message begins where text is no schema for it.
inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace assay::cuda::dispatch
