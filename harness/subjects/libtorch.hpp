// PyTorch's C++ library as a subject, where it was built.
#pragma once

#include <string>

namespace assay {

/// The program that answers with it. Throws UsageError where CMake has found no libtorch.
std::string libtorch_program();

/// The same as a shared library, for whoever wants it in this process.
std::string libtorch_plugin();
bool has_libtorch_plugin();

}  // namespace assay
