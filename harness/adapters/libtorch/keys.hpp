// Dispatch keys by name, and key sets as 64 bits.
#pragma once

#include <c10/core/DispatchKeySet.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/adapters/libtorch/call.hpp"

namespace assay::libtorch {

/// Per-backend functionalities, in the order of their blocks.
std::vector<c10::DispatchKey> per_backend_keys();
std::vector<c10::DispatchKey> functionality_keys();
std::vector<c10::DispatchKey> alias_keys();
std::vector<c10::BackendComponent> backends();
/// All keys with a slot in an operator's table, in the order of the slots.
std::vector<c10::DispatchKey> keys_with_slots();

/// `CPU` for CPUBit.
std::string name_of(c10::BackendComponent backend);
std::string name_of(c10::DispatchKey key);
/// All keys of this PyTorch, including those missing from its own parser. Throws NotSupported.
c10::DispatchKey key_named(const std::string& name);
std::optional<c10::DispatchKey> key_or_none(Call& call, std::string_view name);
/// Like `key_or_none`; Undefined, the catch-all, is nothing.
std::optional<c10::DispatchKey> place_or_none(Call& call, std::string_view name);

c10::DispatchKeySet set_of_bits(std::uint64_t bits);
/// Its bits, or a list of keys (DSP-108).
c10::DispatchKeySet set_argument(Call& call, std::string_view name);

inline Value bits_value(c10::DispatchKeySet set) {
  return static_cast<std::int64_t>(set.raw_repr());
}

template <typename T>
Value names_value(const T& keys) {
  List list;
  for (const auto key : keys) list.items.emplace_back(name_of(key));
  return list;
}

}  // namespace assay::libtorch
