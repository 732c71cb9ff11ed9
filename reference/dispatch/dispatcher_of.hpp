// The session's one dispatcher.
#pragma once

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// Made at its first use, with the operators of all areas (subject/dispatcher_of.cpp registers
/// them); gone at reset. Any thread may ask.
Dispatcher& dispatcher_of(Runtime& runtime);

}  // namespace assay::reference
