// Callbacks for out-of-memory situations.
#pragma once

#include <functional>

namespace assay::cuda::memory {

/// Called with the device index before `out_of_memory` is raised; no lock is held (MEM-013).
void add_observer(std::function<void(int device)> observer);
/// Called if no free block fits; no lock is held. Returns whether it freed memory.
void add_free_callback(std::function<bool()> callback);

bool has_free_callbacks();
/// Calls all of them; returns whether some callback freed memory.
bool run_free_callbacks();
void notify_observers(int device);
void forget_hooks();

}  // namespace assay::cuda::memory
