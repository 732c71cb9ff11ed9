// Whom the allocator tells that memory is short.
#pragma once

#include <functional>

namespace assay::cuda::memory {

/// Called with the device before `out_of_memory` is raised, without any lock (MEM-013).
void add_observer(std::function<void(int device)> observer);
/// Called when no free block serves a request, without any lock. Says whether it freed some.
void add_free_callback(std::function<bool()> callback);

bool has_free_callbacks();
/// All of them; has any freed some?
bool run_free_callbacks();
void tell_observers(int device);
void forget_hooks();

}  // namespace assay::cuda::memory
