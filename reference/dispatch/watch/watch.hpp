// Traces of kernel starts on a thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/dispatch/registry/operator_entry.hpp"

namespace assay::reference {

/// A kernel that is about to run. Valid during the callback.
struct KernelStart {
  const OperatorHandle& op;
  const std::string& label;
  DispatchKey key;  ///< the key that selected it
  KeySet keys;
  bool boxed;  ///< whether the kernel is boxed
  std::vector<const IValue*> arguments;
};

using KernelWatcher = std::function<void(const KernelStart&)>;

/// Receives all kernel starts of the dispatcher on this thread, from construction to `stop`.
class KernelWatch {
 public:
  KernelWatch(const Dispatcher& dispatcher, KernelWatcher watcher);
  ~KernelWatch() { stop(); }
  KernelWatch(const KernelWatch&) = delete;
  KernelWatch& operator=(const KernelWatch&) = delete;

  /// Must be called on the constructing thread.
  void stop();

 private:
  std::shared_ptr<const KernelWatcher> watcher_;
};

/// Notifies the watchers of this thread.
void notify_watchers(const KernelStart& start);
bool is_watched(const Dispatcher& dispatcher);

}  // namespace assay::reference
