// Kernels written down as they start, on one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reference/dispatch/registry/operator_entry.hpp"

namespace assay::reference {

/// A kernel about to run. Valid as long as the watcher looks at it.
struct KernelStart {
  const OperatorHandle& op;
  const std::string& label;
  DispatchKey key;  ///< the one that it was chosen by
  KeySet keys;
  bool boxed;  ///< is the kernel a boxed one?
  std::vector<const IValue*> arguments;
};

using KernelWatcher = std::function<void(const KernelStart&)>;

/// Sees every kernel of the dispatcher that starts on this thread, from construction to `stop`.
class KernelWatch {
 public:
  KernelWatch(const Dispatcher& dispatcher, KernelWatcher watcher);
  ~KernelWatch() { stop(); }
  KernelWatch(const KernelWatch&) = delete;
  KernelWatch& operator=(const KernelWatch&) = delete;

  /// On the thread that made it.
  void stop();

 private:
  std::shared_ptr<const KernelWatcher> watcher_;
};

/// Tells this thread's watchers.
void tell_watchers(const KernelStart& start);
bool is_watched(const Dispatcher& dispatcher);

}  // namespace assay::reference
