// The keys of a release, their priorities, and their positions in sets and tables.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reference/core/types/contract.hpp"
#include "reference/dispatch/keys/dispatch_key.hpp"

namespace assay::reference {

enum class KeyKind : std::uint8_t {
  kUndefined,
  kPlain,
  kRuntime,  ///< a functionality's instance for one backend
  kBlock,    ///< a per-backend functionality without a backend: has no slot
  kAlias,
};

/// One immutable instance for each release.
class KeyLayout {
 public:
  static const KeyLayout& of(Release release);

  Release release() const { return release_; }
  /// In ascending priority (DSP-101).
  std::span<const Backend> backends() const { return backends_; }
  /// In ascending priority, beginning with kUndefined (DSP-102).
  std::span<const Functionality> functionalities() const { return functionalities_; }
  std::span<const Functionality> aliases() const { return aliases_; }
  /// The functionalities that have an instance for each backend (DSP-103).
  std::vector<Functionality> per_backend() const;
  bool is_per_backend(Functionality functionality) const;

  /// Returns whether the release has the key, of any kind.
  bool has(DispatchKey key) const;
  KeyKind kind_of(DispatchKey key) const;

  /// The key's bit in a set; -1 for kUndefined, kNone and keys that the release lacks.
  int bit_of(Backend backend) const;
  int bit_of(Functionality functionality) const;
  int backend_bits() const { return static_cast<int>(backends_.size()); }
  /// Backends and functionalities, without kUndefined.
  int bits() const { return backend_bits() + static_cast<int>(functionalities_.size()) - 1; }

  /// The number of slots in a table (DSP-104).
  int slots() const { return static_cast<int>(keys_.size()); }
  /// Empty for blocks and aliases.
  std::optional<int> slot_of(DispatchKey key) const;
  /// The functionality's only slot, or that of its first backend.
  int first_slot_of(Functionality functionality) const;
  DispatchKey key_at(int slot) const { return keys_[static_cast<std::size_t>(slot)]; }

  /// Parses a key's name (DSP-116). Raises `error` for other texts; in compat mode also for names
  /// that PyTorch cannot parse.
  DispatchKey parse(std::string_view text, Deviations deviations) const;
  /// Accepts every name of the release, also `CatchAll` and the like. Empty for other texts.
  std::optional<DispatchKey> find(std::string_view name) const;

 private:
  explicit KeyLayout(Release release);

  Release release_;
  std::vector<Backend> backends_;
  std::vector<Functionality> functionalities_;
  std::vector<Functionality> aliases_;
  std::vector<DispatchKey> keys_;  ///< indexed by slot
  std::array<int, kBackends + 1> backend_bit_{};
  std::array<int, kFunctionalities> functionality_bit_{};
  std::array<int, kFunctionalities> first_slot_{};
};

}  // namespace assay::reference
