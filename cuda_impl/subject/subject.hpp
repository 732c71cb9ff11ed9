// The CUDA implementation as a subject.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::cuda {

/// Several threads may call it. Tensors go with it; the devices must outlive it.
std::unique_ptr<Subject> make_subject();

}  // namespace assay::cuda
