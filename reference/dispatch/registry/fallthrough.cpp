// Fallthrough masks for each backend (DSP-513, DSP-514).
#include "reference/dispatch/registry/fallthrough.hpp"

#include "reference/dispatch/keys/thread_keys.hpp"

namespace assay::reference {
namespace {

/// The backend that selects the mask; without a backend, the lowest one.
Backend backend_of_mask(const KeyLayout& layout, const CallKeys& keys, KeySet set) {
  const Backend highest =
      highest_backend(layout, layout.release() < Release::k2_11 ? keys.arguments : set);
  return highest == Backend::kNone ? layout.backends().front() : highest;
}

bool falls_through(const Table& table, Functionality functionality, Backend backend) {
  const bool per_backend = table.layout.is_per_backend(functionality);
  const DispatchKey key = per_backend ? DispatchKey(functionality, backend) : functionality;
  return table.entry(key).is_fallthrough();
}

}  // namespace

KeySet effective_keys(const Table& table, const CallKeys& keys) {
  const KeyLayout& layout = table.layout;
  KeySet set = with_thread_keys(layout, keys.arguments, {keys.included, keys.excluded});
  const Backend backend = backend_of_mask(layout, keys, set);
  for (const Functionality functionality : layout.functionalities().subspan(1)) {
    const bool is_there = has_all(set, set_of(layout, functionality));
    if (is_there && falls_through(table, functionality, backend)) {
      set = remove(layout, set, functionality);
    }
  }
  return set;
}

}  // namespace assay::reference
