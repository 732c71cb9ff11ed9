// A subject without a runtime: runs the loops of `bench.run` through plain function pointers.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::measure {

/// Answers `hello`, `reset` and `bench.run`, for loops that plain function pointers can express.
std::unique_ptr<Subject> make_bare_calls();

}  // namespace assay::measure
