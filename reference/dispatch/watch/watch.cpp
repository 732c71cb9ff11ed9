// Keeps the kernel traces of each thread.
#include "reference/dispatch/watch/watch.hpp"

namespace assay::reference {
namespace {

struct Watcher {
  const Dispatcher* dispatcher;
  std::shared_ptr<const KernelWatcher> watch;
};

std::vector<Watcher>& watchers() {
  thread_local std::vector<Watcher> here;
  return here;
}

}  // namespace

KernelWatch::KernelWatch(const Dispatcher& dispatcher, KernelWatcher watcher)
    : watcher_(std::make_shared<const KernelWatcher>(std::move(watcher))) {
  watchers().push_back({&dispatcher, watcher_});
}

void KernelWatch::stop() {
  std::erase_if(watchers(), [&](const Watcher& entry) { return entry.watch == watcher_; });
}

bool is_watched(const Dispatcher& dispatcher) {
  for (const Watcher& entry : watchers()) {
    if (entry.dispatcher == &dispatcher) return true;
  }
  return false;
}

void notify_watchers(const KernelStart& start) {
  const std::vector<Watcher> here = watchers();
  for (const Watcher& entry : here) {
    if (entry.dispatcher == &start.op.dispatcher()) (*entry.watch)(start);
  }
}

}  // namespace assay::reference
