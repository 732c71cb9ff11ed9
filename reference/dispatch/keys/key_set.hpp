// Sets of keys in 64 bits: functionalities times backends (DSP-108 to DSP-117).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "reference/dispatch/keys/key_layout.hpp"

namespace assay::reference {

/// The bits alone; what they stand for says the layout of the release. `|`, `&`, `^` and `==` act
/// on all of them (DSP-110).
struct KeySet {
  std::uint64_t bits = 0;

  constexpr bool empty() const { return bits == 0; }
  constexpr bool operator==(const KeySet&) const = default;
};

constexpr KeySet operator|(KeySet a, KeySet b) { return {a.bits | b.bits}; }
constexpr KeySet operator&(KeySet a, KeySet b) { return {a.bits & b.bits}; }
KeySet operator^(KeySet a, KeySet b);

/// Empty for Undefined and for aliases (DSP-108).
KeySet set_of(const KeyLayout& layout, DispatchKey key);
KeySet set_of(const KeyLayout& layout, std::initializer_list<DispatchKey> keys);

/// `a` without the functionalities of `b`: all backends of `a` stay (DSP-111).
KeySet minus(const KeyLayout& layout, KeySet a, KeySet b);
KeySet remove(const KeyLayout& layout, KeySet set, DispatchKey key);
KeySet remove_backend(const KeyLayout& layout, KeySet set, Backend backend);

/// All bits of the key are there (DSP-109). Raises `internal` for Undefined.
bool has(const KeyLayout& layout, KeySet set, DispatchKey key);
constexpr bool has_all(KeySet set, KeySet wanted) {
  return (set.bits & wanted.bits) == wanted.bits;
}
/// Raises `internal` when `wanted` has both backends and per-backend functionalities, and so says
/// more than it means (DSP-109).
bool has_any(const KeyLayout& layout, KeySet set, KeySet wanted);

KeySet backend_part(const KeyLayout& layout, KeySet set);
KeySet functionality_part(const KeyLayout& layout, KeySet set);

/// The highest functionality, with the highest backend if it is a per-backend one (DSP-112).
/// Without a backend the key is the functionality by itself; Undefined without a functionality.
DispatchKey highest_key(const KeyLayout& layout, KeySet set);
Functionality highest_functionality(const KeyLayout& layout, KeySet set);
/// kNone where there is none.
Backend highest_backend(const KeyLayout& layout, KeySet set);
/// Of the highest key; the first backend's for a functionality without backends (DSP-113).
int slot_of(const KeyLayout& layout, KeySet set);
/// The runtime keys, lowest functionality first, within it lowest backend first (DSP-114).
std::vector<DispatchKey> keys_of(const KeyLayout& layout, KeySet set);
/// `DispatchKeySet(CPU, AutogradCPU)` (DSP-116).
std::string to_text(const KeyLayout& layout, KeySet set);
/// The highest key among what backends' kernels are registered at (DSP-117).
DispatchKey highest_backend_key(const KeyLayout& layout, KeySet set);

KeySet full_set(const KeyLayout& layout);
/// Every bit below the key's functionality, and PythonDispatcher (DSP-115).
KeySet full_after(const KeyLayout& layout, DispatchKey key);
KeySet after_functionalize(const KeyLayout& layout);

/// What an alias stands for (DSP-106); of another key, itself.
KeySet members_of(const KeyLayout& layout, DispatchKey key);
/// Is the runtime key among the members of the alias?
bool is_member(const KeyLayout& layout, DispatchKey key, DispatchKey alias);

/// Where tensors that have this key differentiate (DSP-107).
DispatchKey autograd_key_of(const KeyLayout& layout, DispatchKey key);
/// The autocast key of a backend's tensors; Undefined where there is none (DSP-203).
DispatchKey autocast_key_of(const KeyLayout& layout, Backend backend);

}  // namespace assay::reference
