// Which commit the program was built from.
#pragma once

#include <string_view>

namespace assay::report {

/// A hash, or `unknown` outside a checkout.
std::string_view git_revision();
/// The checkout had changes.
bool git_dirty();

}  // namespace assay::report
