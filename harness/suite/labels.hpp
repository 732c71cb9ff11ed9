// Where a case was when an exception left it: the labels of the `ScopedTrace` objects that were
// unwound.
#pragma once

#include <string>

namespace assay {

/// `row 3: step 2: `, outermost first; empty if there were none. Clears the labels of the calling
/// thread.
std::string take_unwound_labels();

}  // namespace assay
