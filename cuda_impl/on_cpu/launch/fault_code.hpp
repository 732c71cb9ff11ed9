// What a kernel's fault is to the host: a code of the runtime, and a name that people can read.
#pragma once

#include <string>

namespace assay::cuda::on_cpu {

/// 716 for a misaligned address, 700 for one that is not the kernel's, 710 for an assertion, 719
/// for whatever else ends a kernel.
int fault_code(const std::string& reason);

/// The C++ name of a mangled one; a name that is none stays as it is.
std::string readable(const char* mangled);

}  // namespace assay::cuda::on_cpu
