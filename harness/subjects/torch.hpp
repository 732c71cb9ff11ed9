// The subject `torch`: the adapter that is compiled into this program, run by a Python that has
// PyTorch.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Is this subject, as typed, `torch` or `torch` with options behind it?
bool is_torch(const std::string& text);

/// The command line that starts it: the interpreter, the unpacked adapter, and the options in
/// `text`. Throws UsageError when the adapter cannot be written down.
std::vector<std::string> torch_command(const std::string& text,
                                       const std::optional<std::string>& interpreter);

/// `interpreter` if there is one, the environment's ASSAY_PYTHON, or python3.
std::string torch_interpreter(const std::optional<std::string>& interpreter);

}  // namespace assay
