// How a release lays its keys out: which bit each has, and which slot of an operator's table.
#pragma once

#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/dispatch/keys/key_facts.hpp"

namespace assay::cuda::dispatch {

inline constexpr int kMostSlots = 138;
inline constexpr int kMostBackends = 16;
using Slots = std::bitset<kMostSlots>;

/// The index of the highest bit; 0 for none.
constexpr unsigned highest_bit(std::uint64_t bits) {
  return 63U ^ static_cast<unsigned>(std::countl_zero(bits | 1U));
}

/// From a set to its slot (DSP-113): what a call looks at.
struct SlotMap {
  std::uint64_t backends = 0;
  /// By the highest bit of a set: the first slot of its functionality, and whether the backends
  /// have one each (all ones) or not (0).
  std::array<std::uint8_t, 64> first = {};
  std::array<std::uint8_t, 64> per_backend = {};

  unsigned slot_of(KeySet set) const {
    const unsigned top = highest_bit(set.bits);
    return first[top] + (per_backend[top] & highest_bit(set.bits & backends));
  }
};

enum class KeyKind : std::uint8_t {
  kUndefined,
  kPlain,
  kRuntime,  ///< of a functionality and a backend
  kBlock,    ///< a functionality that lacks its backend
  kAlias,
};

class Layout {
 public:
  static const Layout& of(Release release);
  explicit Layout(Release release);

  Release release() const { return release_; }
  /// Low to high; functionalities begin with Undefined.
  std::span<const Backend> backends() const { return backends_; }
  std::span<const Functionality> functionalities() const { return functionalities_; }
  std::span<const Functionality> aliases() const { return aliases_; }
  const SlotMap& slot_map() const { return map_; }

  int slots() const { return static_cast<int>(keys_.size()); }
  const Key& key_at(unsigned slot) const { return keys_[slot]; }
  bool has(Key key) const;
  KeyKind kind_of(Key key) const;
  /// None for blocks and aliases.
  std::optional<unsigned> slot_of(Key key) const;
  /// The index among the backends of the release.
  unsigned index_of(Backend backend) const {
    return backend_at_[static_cast<std::size_t>(backend)];
  }

  /// Empty for Undefined and aliases.
  KeySet set_of(Key key) const;
  KeySet set_of(std::initializer_list<Key> keys) const;
  KeySet full() const { return {full_}; }
  KeySet all_backends() const { return {map_.backends}; }
  /// DSP-111: backends stay.
  KeySet minus(KeySet a, KeySet b) const { return a.without(b.without(all_backends())); }
  /// DSP-115
  KeySet full_after(Key key) const;
  /// Raises `internal` for Undefined (DSP-109).
  bool has(KeySet set, Key key) const;
  /// Raises `internal` for a set of both backends and what is per backend (DSP-109).
  bool has_any(KeySet set, KeySet any) const;

  /// A block where the backend is missing (DSP-112).
  Key highest(KeySet set) const;
  /// Among kernels of backends (DSP-117).
  Key highest_backend(KeySet set) const;
  /// Ascending (DSP-114).
  std::vector<Key> keys_of(KeySet set) const;
  /// `DispatchKeySet(CPU, AutogradCPU)`
  std::string text(KeySet set) const;

  /// What an alias stands for; of another key itself (DSP-106).
  Slots members_of(Key key) const;
  bool is_member(Key key, Functionality alias) const;
  /// Has a backend kernels there, so that an explicit composite one stands in for it?
  bool is_backend_key(Key key) const;
  /// DSP-107
  Key autograd_of(Key key) const;

  /// By any of its names, legacy ones included.
  std::optional<Key> find(std::string_view name) const;
  /// DSP-116. Raises `error` for a text that is no key, or one that PyTorch cannot read.
  Key parse(std::string_view text, const Contract& contract) const;

 private:
  void place(Functionality functionality);

  Release release_;
  std::vector<Backend> backends_;
  std::vector<Functionality> functionalities_;
  std::vector<Functionality> aliases_;
  std::vector<Key> keys_;
  SlotMap map_;
  std::uint64_t full_ = 0;
  std::uint64_t per_backend_bits_ = 0;
  std::array<std::uint8_t, kFunctionalities> bit_at_ = {};
  std::array<std::uint8_t, kBackends> backend_at_ = {};
};

std::string name_of(Key key);

}  // namespace assay::cuda::dispatch
