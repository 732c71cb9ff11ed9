// Fallthrough and its masks, one for each backend (DSP-513, DSP-514).
#include "reference/dispatch/fallthrough.hpp"

#include <algorithm>
#include <iterator>

#include "reference/core/fault.hpp"
#include "reference/dispatch/thread_keys.hpp"

namespace assay::reference {
namespace {

/// Whose mask applies. Without any backend it is that of the lowest.
Backend backend_of_mask(const KeyLayout& layout, const CallKeys& keys, KeySet set) {
  const bool arguments_only =
      layout.release() != Release::k2_11 || fault("mask_from_arguments_only");
  const Backend highest = highest_backend(layout, arguments_only ? keys.arguments : set);
  return highest == Backend::kNone ? layout.backends().front() : highest;
}

bool falls_through(const Table& table, Functionality functionality, Backend backend) {
  const auto& backends = table.layout.backends();
  if (fault("mask_is_of_the_next_backend") && backend != backends.back()) {
    backend = *std::next(std::find(backends.begin(), backends.end(), backend));
  }
  const bool per_backend = table.layout.is_per_backend(functionality);
  const DispatchKey key = per_backend ? DispatchKey(functionality, backend) : functionality;
  const auto fallback = table.fallbacks->find(key);
  if (fault("operator_cannot_override_a_fallthrough") && fallback != table.fallbacks->end() &&
      fallback->second->kernel.is_fallthrough()) {
    return true;
  }
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
      if (fault("masked_key_takes_its_backend_along") && layout.is_per_backend(functionality)) {
        set = remove_backend(layout, set, backend) | set_of(layout, functionality);
      }
    }
  }
  return set;
}

}  // namespace assay::reference
