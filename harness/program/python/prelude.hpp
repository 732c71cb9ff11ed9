// What every script begins with.
#pragma once

#include <string_view>

namespace assay::python {

/// prelude.py
std::string_view prelude();
/// forms.txt
std::string_view forms();

}  // namespace assay::python
