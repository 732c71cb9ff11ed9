// Captures and restores a thread's state.
#include "reference/autocast/thread_state.hpp"

namespace assay::reference {

ThreadState thread_state(Runtime& runtime) {
  return {thread_keys(runtime), runtime.local<GradModes>(), autocast_snapshot(runtime)};
}

ThreadStateGuard::ThreadStateGuard(Runtime& runtime, const ThreadState& state)
    : runtime_(runtime),
      modes_before_(runtime.local<GradModes>()),
      keys_(runtime, state.keys),
      dtypes_(runtime, state.dtypes) {
  runtime.local<GradModes>() = state.modes;
}

ThreadStateGuard::~ThreadStateGuard() { runtime_.local<GradModes>() = modes_before_; }

}  // namespace assay::reference
