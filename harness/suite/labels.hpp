// Where a case was when an exception left it: the labels of the `At`s that it passed on its way
// out.
#pragma once

#include <string>

namespace assay {

/// `row 3: step 2: `, outermost first, and forgets them; empty where there were none. Of the
/// calling thread.
std::string take_unwound_labels();

}  // namespace assay
