// Which keys a release has, how they rank, and where each stands in a set and in a table.
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
  kRuntime,  ///< one backend's instance of a functionality
  kBlock,    ///< a per-backend functionality by itself: it has no slot
  kAlias,
};

/// One for each release; never changes.
class KeyLayout {
 public:
  static const KeyLayout& of(Release release);

  Release release() const { return release_; }
  /// Low to high (DSP-101).
  std::span<const Backend> backends() const { return backends_; }
  /// Low to high, kUndefined first (DSP-102).
  std::span<const Functionality> functionalities() const { return functionalities_; }
  std::span<const Functionality> aliases() const { return aliases_; }
  /// Those that each backend has an instance of (DSP-103).
  std::vector<Functionality> per_backend() const;
  bool is_per_backend(Functionality functionality) const;

  /// Does the release have such a key, of any kind?
  bool has(DispatchKey key) const;
  KeyKind kind_of(DispatchKey key) const;

  /// The bit of a set that stands for it; -1 for kUndefined, kNone, and what the release lacks.
  int bit_of(Backend backend) const;
  int bit_of(Functionality functionality) const;
  int backend_bits() const { return static_cast<int>(backends_.size()); }
  /// Backends and functionalities, kUndefined not counted.
  int bits() const { return backend_bits() + static_cast<int>(functionalities_.size()) - 1; }

  /// Of a table (DSP-104).
  int slots() const { return static_cast<int>(keys_.size()); }
  /// Nothing for blocks and aliases, which have none.
  std::optional<int> slot_of(DispatchKey key) const;
  /// Of a functionality: its only one, or its first backend's.
  int first_slot_of(Functionality functionality) const;
  DispatchKey key_at(int slot) const { return keys_[static_cast<std::size_t>(slot)]; }

  /// Any key by its name (DSP-116). Raises `error` for other texts, and in compat mode for those
  /// names that PyTorch forgot.
  DispatchKey parse(std::string_view text, Deviations deviations) const;
  /// The same for every name of the release, `CatchAll` and the like included; nothing otherwise.
  std::optional<DispatchKey> find(std::string_view name) const;

 private:
  explicit KeyLayout(Release release);

  Release release_;
  std::vector<Backend> backends_;
  std::vector<Functionality> functionalities_;
  std::vector<Functionality> aliases_;
  std::vector<DispatchKey> keys_;  ///< by slot
  std::array<int, kBackends + 1> backend_bit_{};
  std::array<int, kFunctionalities> functionality_bit_{};
  std::array<int, kFunctionalities> first_slot_{};
};

}  // namespace assay::reference
