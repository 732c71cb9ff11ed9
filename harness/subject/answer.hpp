// A line of text in, a line of text out: what serve() and a plugin do with each command.
#pragma once

#include <string>
#include <string_view>

#include "harness/subject/interpreter.hpp"

namespace assay {

/// The reply's JSON, without a line break. Never throws: a text that is not a command is answered
/// `invalid`.
std::string answer(Interpreter& interpreter, std::string_view line);

}  // namespace assay
