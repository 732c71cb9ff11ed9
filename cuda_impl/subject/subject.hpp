// The CUDA implementation as a subject of the harness.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::cuda {

/// Thread-safe. Its tensors are destroyed with it; the devices must outlive it.
std::unique_ptr<Subject> make_subject();

}  // namespace assay::cuda
