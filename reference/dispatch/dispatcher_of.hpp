// The dispatcher of a session.
#pragma once

#include "reference/dispatch/dispatcher.hpp"

namespace assay::reference {

/// Created at its first use with the operators of all areas (registered in
/// subject/dispatcher_of.cpp), and destroyed at reset. Thread-safe.
Dispatcher& dispatcher_of(Runtime& runtime);

}  // namespace assay::reference
