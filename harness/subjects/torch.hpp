// The subject `torch`: the adapter compiled into this program, run by a Python that has
// PyTorch.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay {

/// True if this subject, as typed, is `torch` or `torch` with options.
bool is_torch(const std::string& text);

/// True if these words of its command line name a device that is neither `cpu` nor `cuda`, or ask
/// torch.accelerator of CUDA too (`--generic`).
bool asks_accelerator(const std::vector<std::string>& words);

/// The command line that starts it: the interpreter, the unpacked adapter, and the options in
/// `text`. Throws UsageError if the adapter cannot be written.
std::vector<std::string> torch_command(const std::string& text,
                                       const std::optional<std::string>& interpreter);

/// `interpreter` if given, else the environment's ASSAY_PYTHON, else python3.
std::string torch_interpreter(const std::optional<std::string>& interpreter);

}  // namespace assay
