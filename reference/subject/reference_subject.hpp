// The reference implementation as a subject.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::reference {

/// Creates a subject with a new runtime. Thread-safe.
std::unique_ptr<Subject> make_subject();

}  // namespace assay::reference
