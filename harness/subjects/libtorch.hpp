// PyTorch's C++ library as a subject, if it was built.
#pragma once

#include <string>

namespace assay {

/// The program of the subject. Throws UsageError if CMake has found no libtorch.
std::string libtorch_program();

/// The same as a shared library, for use in this process.
std::string libtorch_plugin();
bool has_libtorch_plugin();

}  // namespace assay
