// The reference, which is part of this program. No other file of harness/ includes an
// implementation.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay {

std::unique_ptr<Subject> make_reference();

}  // namespace assay
