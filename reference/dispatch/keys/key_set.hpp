// Sets of dispatch keys in 64 bits: functionalities and backends (DSP-108 to DSP-117).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"
#include "reference/dispatch/keys/key_layout.hpp"

namespace assay::reference {

/// The plain bits; their meaning depends on the layout of the release. `|`, `&`, `^` and `==`
/// operate on all bits (DSP-110).
struct KeySet {
  std::uint64_t bits = 0;

  constexpr bool empty() const { return bits == 0; }
  constexpr bool operator==(const KeySet&) const = default;
};

constexpr KeySet operator|(KeySet a, KeySet b) { return {a.bits | b.bits}; }
constexpr KeySet operator&(KeySet a, KeySet b) { return {a.bits & b.bits}; }
KeySet operator^(KeySet a, KeySet b);

/// Empty for Undefined and aliases (DSP-108).
KeySet set_of(const KeyLayout& layout, DispatchKey key);
KeySet set_of(const KeyLayout& layout, std::initializer_list<DispatchKey> keys);

/// Removes the functionalities of `b` from `a` and keeps all backends (DSP-111).
KeySet minus(const KeyLayout& layout, KeySet a, KeySet b);
KeySet remove(const KeyLayout& layout, KeySet set, DispatchKey key);
KeySet remove_backend(const KeyLayout& layout, KeySet set, Backend backend);

/// Tests all bits of the key (DSP-109). Raises `internal` for Undefined.
bool has(const KeyLayout& layout, KeySet set, DispatchKey key);
constexpr bool has_all(KeySet set, KeySet wanted) {
  return (set.bits & wanted.bits) == wanted.bits;
}
/// Raises `internal` if `wanted` has both backends and per-backend functionalities, because the
/// result would be ambiguous (DSP-109).
bool has_any(const KeyLayout& layout, KeySet set, KeySet wanted);

KeySet backend_part(const KeyLayout& layout, KeySet set);
KeySet functionality_part(const KeyLayout& layout, KeySet set);

/// Returns the highest functionality, with the highest backend if it is per-backend (DSP-112).
/// Without a backend, returns the functionality alone; without a functionality, Undefined.
DispatchKey highest_key(const KeyLayout& layout, KeySet set);
Functionality highest_functionality(const KeyLayout& layout, KeySet set);
/// Returns kNone if there is no backend.
Backend highest_backend(const KeyLayout& layout, KeySet set);
/// The highest key's slot; without backends, that of the first backend (DSP-113).
int slot_of(const KeyLayout& layout, KeySet set);
/// Runtime keys in ascending order of functionality, then backend (DSP-114).
std::vector<DispatchKey> keys_of(const KeyLayout& layout, KeySet set);
/// Formats as `DispatchKeySet(CPU, AutogradCPU)` (DSP-116).
std::string to_text(const KeyLayout& layout, KeySet set);
/// The highest key for which backend kernels can be registered (DSP-117).
DispatchKey highest_backend_key(const KeyLayout& layout, KeySet set);

KeySet full_set(const KeyLayout& layout);
/// All bits below the key's functionality, and PythonDispatcher (DSP-115).
KeySet full_after(const KeyLayout& layout, DispatchKey key);
KeySet after_functionalize(const KeyLayout& layout);

/// The members of an alias (DSP-106); for any other key, the key itself.
KeySet members_of(const KeyLayout& layout, DispatchKey key);
/// Returns whether the alias includes the runtime key.
bool is_member(const KeyLayout& layout, DispatchKey key, DispatchKey alias);

/// The autograd key for tensors with this key (DSP-107).
DispatchKey autograd_key_of(const KeyLayout& layout, DispatchKey key);
/// The autocast key for tensors of a backend; Undefined if there is none (DSP-203).
DispatchKey autocast_key_of(const KeyLayout& layout, Backend backend);

/// Returns the functionality's name; in compat mode, PyTorch's placeholder (DSP-112).
std::string highest_name(const Contract& contract, DispatchKey highest);

}  // namespace assay::reference
