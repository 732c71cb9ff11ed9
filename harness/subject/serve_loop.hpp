// The common loop of all forms of serve().
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace assay::detail {

/// Converts the text of a command to the text of its reply.
using Answer = std::function<std::string(std::string_view)>;

/// Answers the lines of `input` until it ends. Returns the exit status for `main`.
int serve_lines(const Answer& answer, int input, int output);

/// Redirects standard output to standard error while `loop` runs, which receives the original one.
int take_over_output(const std::function<int(int output)>& loop);

}  // namespace assay::detail
