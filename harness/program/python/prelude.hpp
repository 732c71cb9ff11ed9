// What every script begins with.
#pragma once

#include <string_view>

namespace assay::python {

/// prelude.py
std::string_view prelude();
/// A line a command, as scripts/cmake/areas.py gathers them from the tables of the waist.
std::string_view forms();

}  // namespace assay::python
