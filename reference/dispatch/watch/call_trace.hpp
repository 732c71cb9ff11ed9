// Prints calls as they are dispatched, for debugging (DSP-709).
#pragma once

#include <string_view>

#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// Returns whether RT_SHOW_DISPATCH_TRACE is 1. Any value except 0 and 1 gives one warning on
/// standard error.
bool shows_calls();

/// Prints `[call] op=[ns::f], key=[AutogradCPU]` to standard error, indented by the number of
/// instances alive on this thread. Does nothing unless `shows_calls`.
class ShownCall {
 public:
  ShownCall(const KeyLayout& layout, std::string_view how, const OperatorName& op, KeySet keys);
  ~ShownCall();
  ShownCall(const ShownCall&) = delete;
  ShownCall& operator=(const ShownCall&) = delete;
};

}  // namespace assay::reference
