// The reference behind the waist.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::reference {

/// A fresh runtime that answers every area of the reference. May be called from several threads.
std::unique_ptr<Subject> make_subject();

}  // namespace assay::reference
