// Keys and key sets in protocol arguments and results.
#pragma once

#include <vector>

#include "reference/dispatch/keys/key_set.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {

/// The key layout of the call's release.
inline const KeyLayout& key_layout(Call& call) { return KeyLayout::of(call.contract().release); }

inline DispatchKey key_argument(Call& call, std::string_view name) {
  return key_from(call, call.arguments().text(name));
}

inline Value to_value(KeySet set) { return static_cast<std::int64_t>(set.bits); }

inline Value to_value(const std::vector<DispatchKey>& keys) {
  assay::List list;
  for (const DispatchKey key : keys) list.items.emplace_back(name_of(key));
  return list;
}

}  // namespace assay::reference
