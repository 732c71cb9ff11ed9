// The commit from which the program was built.
#pragma once

#include <string_view>

namespace assay::report {

/// A hash, or `unknown` outside a checkout.
std::string_view git_revision();
/// The checkout had changes.
bool git_dirty();

}  // namespace assay::report
