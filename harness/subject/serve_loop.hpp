// Lines in, lines out: what every form of serve() does.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace assay::detail {

/// The text of a reply to the text of a command.
using Answer = std::function<std::string(std::string_view)>;

/// Answers what comes on `input` until it ends. Returns the exit status for `main`.
int serve_lines(const Answer& answer, int input, int output);

/// Standard output becomes standard error while `loop` runs, which gets what standard output was.
int take_over_output(const std::function<int(int output)>& loop);

}  // namespace assay::detail
