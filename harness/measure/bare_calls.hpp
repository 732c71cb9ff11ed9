// A subject without a runtime: what the loops of `bench.run` cost through plain function pointers.
#pragma once

#include <memory>

#include "harness/subject/subject.hpp"

namespace assay::measure {

/// Answers `hello`, `reset` and `bench.run`, for the loops that function pointers can make.
std::unique_ptr<Subject> make_bare_calls();

}  // namespace assay::measure
