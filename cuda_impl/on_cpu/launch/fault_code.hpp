// Converts a kernel's fault to a runtime error code and a readable name.
#pragma once

#include <string>

namespace assay::cuda::on_cpu {

/// 716 for a misaligned address, 719 for other faults.
int fault_code(const std::string& reason);

/// Demangles a C++ name and leaves out its tags; returns other names unchanged.
std::string readable(const char* mangled);

}  // namespace assay::cuda::on_cpu
