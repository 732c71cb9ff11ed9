// What PyTorch itself does wrong: a case that must accept it says so, with what it can do to a
// training, and the run tells its user.
#pragma once

#include <string>

namespace assay {

/// The subject has a mistake of PyTorch's. Called by a case for `compat` after it saw the mistake;
/// `sentence` says what PyTorch does and what can come of it.
void shows_mistake(std::string sentence);

/// The last one of the calling thread; empty if there was none. Forgets it.
std::string take_mistake();

}  // namespace assay
