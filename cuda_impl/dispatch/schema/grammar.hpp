// Separate parsers for parts of the schema grammar: types with annotations, and default values.
#pragma once

#include <optional>
#include <string>

#include "cuda_impl/dispatch/schema/lexer.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// The state of one parse.
struct Reading {
  Lexer lexer;
  Contract contract;
  int fresh_sets = 0;  ///< number of annotations that are `!` alone (DSP-307)
};

struct AnnotatedType {
  Type type;
  std::optional<AliasInfo> alias;
  std::optional<std::int64_t> size;
};

/// Parses the type of an argument or return, which is the only place where a list may have a size.
AnnotatedType read_argument_type(Reading& reading);

/// Parses one constant. Only numbers depend on the type: `1` becomes a float for a float type.
Constant read_constant(Reading& reading, const Type& type);
/// Removes the quotes and escapes.
std::string text_of_literal(std::string_view literal);

/// Parses the text after `=` (DSP-308).
Constant read_default(Reading& reading, const Argument& argument);

/// The quoted text, with which the messages about invalid schemas begin.
inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

}  // namespace assay::cuda::dispatch
