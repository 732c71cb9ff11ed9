// A named event.
#pragma once

#include <c10/core/Event.h>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

struct NamedEvent {
  c10::Event event;
};

NamedEvent& event_argument(Call& call, std::string_view name = "event");

}  // namespace assay::libtorch
