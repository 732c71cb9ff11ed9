// Calls printed as they are dispatched, for people who debug (DSP-709).
#pragma once

#include <string_view>

#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Does the environment ask for it? RT_SHOW_DISPATCH_TRACE is 1; for anything but 0 and 1 it says
/// once, on standard error, that it is neither.
bool shows_calls();

/// `[call] op=[ns::f], key=[AutogradCPU]` on standard error while it lives, indented by how many of
/// them live on this thread. Does nothing unless `shows_calls`.
class ShownCall {
 public:
  ShownCall(const KeyLayout& layout, std::string_view how, const OperatorName& op, KeySet keys);
  ~ShownCall();
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;
};

}  // namespace assay::reference
