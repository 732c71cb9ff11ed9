// PyTorch's C++ library as a subject.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::libtorch {

/// A process has one dispatcher, so it should have one subject. May be called from
/// several threads.
std::unique_ptr<Subject> make_subject();

}  // namespace assay::libtorch
