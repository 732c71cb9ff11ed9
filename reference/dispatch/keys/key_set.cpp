// Operations on key sets.
#include "reference/dispatch/keys/key_set.hpp"

#include <bit>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

constexpr std::uint64_t bit(int index) { return index < 0 ? 0 : std::uint64_t{1} << index; }

/// All bits below `index`.
constexpr std::uint64_t below(int index) { return bit(index) - 1; }

std::uint64_t backend_mask(const KeyLayout& layout) { return below(layout.backend_bits()); }

std::uint64_t per_backend_mask(const KeyLayout& layout) {
  std::uint64_t mask = 0;
  for (const Functionality f : layout.per_backend()) mask |= bit(layout.bit_of(f));
  return mask;
}

int highest_bit(std::uint64_t bits) { return 63 - std::countl_zero(bits); }

}  // namespace

KeySet operator^(KeySet a, KeySet b) { return {a.bits ^ b.bits}; }

KeySet set_of(const KeyLayout& layout, DispatchKey key) {
  return {bit(layout.bit_of(key.functionality)) |
          (key.backend == Backend::kNone ? 0 : bit(layout.bit_of(key.backend)))};
}

KeySet set_of(const KeyLayout& layout, std::initializer_list<DispatchKey> keys) {
  KeySet united;
  for (const DispatchKey key : keys) united = united | set_of(layout, key);
  return united;
}

KeySet backend_part(const KeyLayout& layout, KeySet set) {
  return {set.bits & backend_mask(layout)};
}

KeySet functionality_part(const KeyLayout& layout, KeySet set) {
  return {set.bits & ~backend_mask(layout)};
}

KeySet minus(const KeyLayout& layout, KeySet a, KeySet b) {
  return {a.bits & ~functionality_part(layout, b).bits};  // DSP-111
}

KeySet remove(const KeyLayout& layout, KeySet set, DispatchKey key) {
  return minus(layout, set, set_of(layout, key));
}

KeySet remove_backend(const KeyLayout& layout, KeySet set, Backend backend) {
  return {set.bits & ~bit(layout.bit_of(backend))};
}

bool has(const KeyLayout& layout, KeySet set, DispatchKey key) {
  check(key != DispatchKey(), ErrorKind::kInternal,
        [] { return "a key set is asked for Undefined, which stands in none"; });
  return has_all(set, set_of(layout, key));  // DSP-109
}

bool has_any(const KeyLayout& layout, KeySet set, KeySet wanted) {
  const bool mixes =
      (wanted.bits & backend_mask(layout)) != 0 && (wanted.bits & per_backend_mask(layout)) != 0;
  check(!mixes, ErrorKind::kInternal, [&] {
    return "has_any takes no set of both backends and per-backend functionalities, got " +
           to_text(layout, wanted);
  });
  return (set.bits & wanted.bits) != 0;
}

Functionality highest_functionality(const KeyLayout& layout, KeySet set) {
  const std::uint64_t bits = functionality_part(layout, set).bits;
  if (bits == 0) return Functionality::kUndefined;
  const int index = highest_bit(bits) - layout.backend_bits() + 1;
  return layout.functionalities()[static_cast<std::size_t>(index)];
}

Backend highest_backend(const KeyLayout& layout, KeySet set) {
  const std::uint64_t bits = backend_part(layout, set).bits;
  if (bits == 0) return Backend::kNone;
  return layout.backends()[static_cast<std::size_t>(highest_bit(bits))];
}

DispatchKey highest_key(const KeyLayout& layout, KeySet set) {
  const Functionality functionality = highest_functionality(layout, set);
  if (!layout.is_per_backend(functionality)) return functionality;
  return {functionality, highest_backend(layout, set)};  // DSP-112
}

int slot_of(const KeyLayout& layout, KeySet set) {
  const DispatchKey key = highest_key(layout, set);
  const int first = layout.first_slot_of(key.functionality);
  if (key.backend == Backend::kNone) return first;
  return first + layout.bit_of(key.backend);  // DSP-113
}

std::vector<DispatchKey> keys_of(const KeyLayout& layout, KeySet set) {
  std::vector<DispatchKey> keys;
  for (int slot = 1; slot < layout.slots(); ++slot) {
    const DispatchKey key = layout.key_at(slot);
    if (has(layout, set, key)) keys.push_back(key);
  }
  return keys;
}

std::string to_text(const KeyLayout& layout, KeySet set) {
  std::string text;
  for (const DispatchKey key : keys_of(layout, set)) {
    text += (text.empty() ? "" : ", ") + name_of(key);
  }
  return "DispatchKeySet(" + text + ")";
}

DispatchKey highest_backend_key(const KeyLayout& layout, KeySet set) {
  using enum Functionality;
  const KeySet kernels = {backend_mask(layout) |
                          set_of(layout, {kDense, kQuantized, kSparse, kSparseCsr}).bits};
  return highest_key(layout, set & kernels);  // DSP-117
}

KeySet full_set(const KeyLayout& layout) { return {below(layout.bits())}; }

KeySet full_after(const KeyLayout& layout, DispatchKey key) {
  const KeyKind kind = layout.kind_of(key);
  const bool has_no_bit = kind == KeyKind::kUndefined || kind == KeyKind::kAlias;
  const int index = has_no_bit ? layout.backend_bits() - 1 : layout.bit_of(key.functionality);
  const KeySet rest = {below(index)};
  return rest | set_of(layout, Functionality::kPythonDispatcher);  // DSP-115
}

KeySet after_functionalize(const KeyLayout& layout) {
  return remove(layout, full_after(layout, Functionality::kFunctionalize),
                Functionality::kADInplaceOrView);
}

}  // namespace assay::reference
