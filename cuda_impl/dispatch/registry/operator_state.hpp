// What is registered for one operator. Never changed: every registration makes a new one.
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

/// Of the first typed kernel, for as long as the operator lives (DSP-409, DSP-410).
struct FirstSignature {
  const Signature* signature = nullptr;
  std::optional<Key> key;
  std::string debug;
};

struct OperatorState {
  OperatorName name;
  std::shared_ptr<const Definition> definition;
  /// Of each key, the newest first.
  std::map<Key, std::vector<RegisteredPtr>> kernels;
  std::optional<FirstSignature> first;
  bool is_forsaken = false;  ///< PyTorch's alone: its listeners failed, or its registration did

  bool has_schema() const { return definition != nullptr; }
  bool is_alive() const { return has_schema() || !kernels.empty() || is_forsaken; }
  /// Null for none.
  const RegisteredPtr* newest_at(Key key) const {
    const auto found = kernels.find(key);
    return found == kernels.end() ? nullptr : &found->second.front();
  }
};
using StatePtr = std::shared_ptr<const OperatorState>;

using Fallbacks = std::map<Key, RegisteredPtr>;
using FallbacksPtr = std::shared_ptr<const Fallbacks>;

}  // namespace assay::cuda::dispatch
