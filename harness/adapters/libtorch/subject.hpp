// PyTorch's C++ library behind the waist.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::libtorch {

/// There is one dispatcher in a process, so there should be one of these. May be called from
/// several threads.
std::unique_ptr<Subject> make_subject();

}  // namespace assay::libtorch
