// Converts between text and messages for serve() and plugins.
#pragma once

#include <string>
#include <string_view>

#include "harness/subject/interpreter.hpp"

namespace assay {

/// The reply's JSON, without a line break. Never throws: a text that is not a command gets the
/// reply `invalid`.
std::string answer(Interpreter& interpreter, std::string_view line);

}  // namespace assay
