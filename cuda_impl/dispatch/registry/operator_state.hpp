// The registrations of one operator. Immutable: each registration creates a new state.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda_impl/dispatch/registry/kernel.hpp"

namespace assay::cuda::dispatch {

enum class AliasKind : std::uint8_t { kFromSchema, kConservative, kPureFunction };
std::string_view name_of(AliasKind kind);

struct Definition {
  Schema schema;
  std::string debug;
  AliasKind alias_kind = AliasKind::kFromSchema;
  std::vector<std::string> tags;
};

/// The first typed kernel's signature, kept for the lifetime of the operator (DSP-409, DSP-410).
struct FirstSignature {
  const Signature* signature = nullptr;
  std::optional<Key> key;
  std::string debug;
};

struct OperatorState {
  OperatorName name;
  std::shared_ptr<const Definition> definition;
  /// The kernels of each key, newest first.
  std::map<Key, std::vector<RegisteredPtr>> kernels;
  std::optional<FirstSignature> first;
  bool is_forsaken = false;  ///< PyTorch only: its listeners or its registration failed

  bool has_schema() const { return definition != nullptr; }
  bool is_alive() const { return has_schema() || !kernels.empty() || is_forsaken; }
  /// Returns null if there is none.
  const RegisteredPtr* newest_at(Key key) const {
    const auto found = kernels.find(key);
    return found == kernels.end() ? nullptr : &found->second.front();
  }
};
using StatePtr = std::shared_ptr<const OperatorState>;

using Fallbacks = std::map<Key, RegisteredPtr>;
using FallbacksPtr = std::shared_ptr<const Fallbacks>;

}  // namespace assay::cuda::dispatch
