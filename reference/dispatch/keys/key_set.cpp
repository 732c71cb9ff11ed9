// Operations on key sets; members of alias keys, the keys of backends, and PyTorch's placeholder
// names for a missing backend.
#include "reference/dispatch/keys/key_set.hpp"

#include <bit>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/keys/key_layout.hpp"

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

// Members of alias keys, and the keys of backends.

namespace {

using enum Functionality;

KeySet all_backends(const KeyLayout& layout) { return backend_part(layout, full_set(layout)); }

/// The keys with backend kernels (DSP-106: B). Keys that the release lacks are ignored.
KeySet backend_keys(const KeyLayout& layout) {
  return all_backends(layout) |
         set_of(layout, {kDense, kQuantized, kSparse, kFPGA, kORT, kMAIA, kVulkan, kMetal,
                         kCustomRNGKeyId, kMkldnnCPU, kSparseCsr, kSparseCsrCPU, kSparseCsrCUDA});
}

KeySet autograd_keys(const KeyLayout& layout) {
  return all_backends(layout) |
         set_of(layout, {kAutogradOther, kAutogradFunctionality, kAutogradNestedTensor});
}

KeySet implicit_keys(const KeyLayout& layout) {
  const KeySet keys = backend_keys(layout) | autograd_keys(layout) | set_of(layout, kNestedTensor);
  // Only in 2.4, neither before nor in 2.11.
  return layout.release() == Release::k2_4 ? keys | set_of(layout, kFunctionalize) : keys;
}

KeySet explicit_non_functional_keys(const KeyLayout& layout) {
  KeySet keys = remove(layout, backend_keys(layout), kSparse);
  keys = remove_backend(layout, keys, Backend::kXLA);
  return remove_backend(layout, keys, Backend::kLazy);
}

/// Returns whether the backend has an autograd key of its own, like CPU and CUDA (DSP-107).
bool has_own_autograd(const KeyLayout& layout, Backend backend) {
  if (backend == Backend::kHIP || backend == Backend::kVE) return false;
  if (backend == Backend::kMTIA) return layout.release() != Release::k2_4;
  return true;
}

}  // namespace

KeySet members_of(const KeyLayout& layout, DispatchKey key) {
  switch (key.functionality) {
    case kAutograd:
      return autograd_keys(layout);
    case kCompositeImplicitAutograd:
      return implicit_keys(layout);
    case kCompositeImplicitAutogradNestedTensor:
      return all_backends(layout) | set_of(layout, {kNestedTensor, kAutogradNestedTensor});
    case kCompositeExplicitAutograd:
      return backend_keys(layout);
    case kCompositeExplicitAutogradNonFunctional:
      return explicit_non_functional_keys(layout);
    case kFuncTorchBatchedDecomposition:
      return set_of(layout, kFuncTorchBatched);
    default:
      return set_of(layout, key);
  }
}

bool is_member(const KeyLayout& layout, DispatchKey key, DispatchKey alias) {
  if (key == DispatchKey()) return false;
  return has(layout, members_of(layout, alias), key);
}

DispatchKey autograd_key_of(const KeyLayout& layout, DispatchKey key) {
  if (key.backend == Backend::kNone || !has_own_autograd(layout, key.backend)) {
    return kAutogradOther;
  }
  return {kAutogradFunctionality, key.backend};
}

DispatchKey autocast_key_of(const KeyLayout& layout, Backend backend) {
  const bool is_old = layout.release() == Release::k1_13;
  const auto own = [&]() -> Functionality {
    switch (backend) {
      case Backend::kCPU:
        return kAutocastCPU;
      case Backend::kCUDA:
        return kAutocastCUDA;
      case Backend::kXLA:
        return is_old ? kAutocastCUDA : kAutocastXLA;
      case Backend::kXPU:
        return kAutocastXPU;
      case Backend::kIPU:
        return kAutocastIPU;
      case Backend::kHPU:
        return kAutocastHPU;
      case Backend::kMPS:
        return kAutocastMPS;
      case Backend::kMTIA:
        return kAutocastMTIA;
      case Backend::kMAIA:
        return kAutocastMAIA;
      case Backend::kPrivateUse1:
        return kAutocastPrivateUse1;
      default:
        return kUndefined;
    }
  }();
  return layout.has(own) ? DispatchKey(own) : DispatchKey();
}

// Placeholder names.

std::string highest_name(const Contract& contract, DispatchKey highest) {
  const bool is_block = KeyLayout::of(contract.release).kind_of(highest) == KeyKind::kBlock;
  if (!is_block || contract.deviations == Deviations::kStrict) {
    return name_of(highest);
  }
  const std::string cpu = name_of({highest.functionality, Backend::kCPU});
  const std::string prefix = cpu.substr(0, cpu.size() - name_of(Backend::kCPU).size());
  return prefix + (contract.release == Release::k1_13 ? "Unknown" : "Undefined");
}

}  // namespace assay::reference
