// The key layout of a release: the bit of each key, and its slot in operator tables.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/dispatch/keys/key.hpp"

namespace assay::cuda::dispatch {

inline constexpr int kMostSlots = 138;
inline constexpr int kMostBackends = 16;
using Slots = std::bitset<kMostSlots>;

/// The bit of index 0, that of the first backend.
inline constexpr std::uint64_t kFirstBit = std::uint64_t{1} << 63U;

/// Returns the bit of an index in PyTorch's order.
constexpr std::uint64_t key_bit(unsigned index) { return kFirstBit >> index; }
/// Returns all bits of lower indices.
constexpr std::uint64_t bits_below(unsigned index) { return ~(key_bit(index) * 2 - 1); }

/// Returns how far the highest key is from index 63; `bits` must not be 0.
constexpr unsigned distance_of_highest(std::uint64_t bits) {
  return static_cast<unsigned>(__builtin_ctzll(bits));
}
/// Returns the index of the highest key; 0 for no bits.
constexpr unsigned highest_index(std::uint64_t bits) {
  return 63U - distance_of_highest(bits | kFirstBit);
}

/// Maps a key set to its slot (DSP-113); read by every call, and shared by all operators.
struct alignas(64) SlotMap {
  struct Row {
    std::uint32_t last = 0;         ///< the slot of the functionality, or of distance 0
    std::uint32_t per_backend = 0;  ///< all ones if each backend has its own slot, otherwise 0
  };
  std::uint64_t backends = kFirstBit;
  std::array<Row, 64> rows = {};  ///< by the distance of a set's highest key

  unsigned slot_of(KeySet set) const {
    const std::uint64_t bits = set.bits | kFirstBit;  // a backend's, which alone maps to slot 0
    const Row& row = rows[distance_of_highest(bits)];
    return row.last - (row.per_backend & distance_of_highest(bits & backends));
  }
};

enum class KeyKind : std::uint8_t {
  kUndefined,
  kPlain,
  kRuntime,  ///< a functionality and a backend
  kBlock,    ///< a per-backend functionality without a backend
  kAlias,
};

class Layout {
 public:
  static const Layout& of(Release release);
  explicit Layout(Release release);

  Release release() const { return release_; }
  /// In ascending order. The functionalities begin with Undefined.
  std::span<const Backend> backends() const { return backends_; }
  std::span<const Functionality> functionalities() const { return functionalities_; }
  std::span<const Functionality> aliases() const { return aliases_; }
  const SlotMap& slot_map() const { return map_; }

  int slots() const { return static_cast<int>(keys_.size()); }
  const Key& key_at(unsigned slot) const { return keys_[slot]; }
  bool has(Key key) const;
  KeyKind kind_of(Key key) const;
  /// Empty for blocks and aliases.
  std::optional<unsigned> slot_of(Key key) const;
  /// The backend's index in the release.
  unsigned index_of(Backend backend) const {
    return backend_at_[static_cast<std::size_t>(backend)];
  }

  /// Empty for Undefined and aliases.
  KeySet set_of(Key key) const;
  KeySet set_of(std::initializer_list<Key> keys) const;
  KeySet full() const { return {full_}; }
  /// The keys of the undefined tensor (DSP-203).
  KeySet undefined_tensor() const { return undefined_tensor_; }
  KeySet all_backends() const { return {map_.backends}; }
  /// DSP-111: does not remove backends.
  KeySet minus(KeySet a, KeySet b) const { return a.without(b.without(all_backends())); }
  /// DSP-115
  KeySet full_after(Key key) const;
  /// Raises `internal` for Undefined (DSP-109).
  bool has(KeySet set, Key key) const;
  /// Raises `internal` for a set with both backends and per-backend functionalities (DSP-109).
  bool has_any(KeySet set, KeySet any) const;

  /// Returns a block if the backend is missing (DSP-112).
  Key highest(KeySet set) const;
  /// Considers only backend kernels (DSP-117).
  Key highest_backend(KeySet set) const;
  /// In ascending order (DSP-114).
  std::vector<Key> keys_of(KeySet set) const;
  /// Returns `DispatchKeySet(CPU, AutogradCPU)`.
  std::string text(KeySet set) const;

  /// Returns the slots that an alias stands for; for another key, its own slot (DSP-106).
  Slots members_of(Key key) const;
  bool is_member(Key key, Functionality alias) const;
  /// Whether the key has backend kernels, so that CompositeExplicit applies to it.
  bool is_backend_key(Key key) const;
  /// DSP-107
  Key autograd_of(Key key) const;

  /// Looks up a key by any of its names, including legacy ones.
  std::optional<Key> find(std::string_view name) const;
  /// DSP-116. Raises `error` for an unknown key, or one that PyTorch cannot parse.
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
  KeySet undefined_tensor_;
  std::uint64_t per_backend_bits_ = 0;
  std::array<std::uint8_t, kFunctionalities> bit_at_ = {};
  std::array<std::uint8_t, kBackends> backend_at_ = {};
};

std::string name_of(Key key);

}  // namespace assay::cuda::dispatch
