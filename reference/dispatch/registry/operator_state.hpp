// An immutable snapshot of an operator's registrations; changes replace it as a whole.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/dispatch/registry/kernel.hpp"
#include "reference/dispatch/schema/schema.hpp"

namespace assay::reference {

/// A registered kernel.
struct Registered {
  Kernel kernel;
  std::string debug;                       ///< for messages and dumps
  std::optional<FunctionSchema> inferred;  ///< from a typed kernel
};
using RegisteredPtr = std::shared_ptr<const Registered>;

/// At most one for each key (DSP-413).
using Fallbacks = std::map<DispatchKey, RegisteredPtr>;

/// The source of a slot's kernel (DSP-501).
enum class Provenance : std::uint8_t {
  kKernel,
  kDefaultBackend,
  kNested,
  kAmbiguousAutogradOther,
  kMath,
  kAutograd,
  kBatched,
  kFallback,
  kMissing,
};
std::string_view name_of(Provenance provenance);

struct TableEntry {
  RegisteredPtr kernel;  ///< null if missing or ambiguous
  Provenance provenance = Provenance::kMissing;

  /// Whether the slot has an entry, including a fallthrough or an ambiguity.
  bool is_valid() const { return provenance != Provenance::kMissing; }
  bool is_fallthrough() const { return kernel != nullptr && kernel->kernel.is_fallthrough(); }
};

/// The content of a definition.
struct Definition {
  FunctionSchema schema;
  std::string debug;
  AliasKind alias_kind = AliasKind::kFromSchema;
  std::vector<std::string> tags;
};

/// The common signature of an operator's typed kernels and its first registration (DSP-409).
struct RecordedSignature {
  CppSignature signature;
  std::optional<DispatchKey> key;  ///< empty for a catch-all kernel
  std::string debug;
};

struct OperatorState {
  OperatorName name;
  /// False without a definition or kernel: the operator is removed (DSP-418, DSP-419).
  bool alive = true;
  std::shared_ptr<const Definition> definition;
  /// By registration key, newest first (DSP-412). No list is empty.
  std::map<DispatchKey, std::vector<RegisteredPtr>> kernels;
  std::optional<RecordedSignature> signature;
  /// Compat mode only: PyTorch's table by slot, with entries that it did not update (DSP-509).
  std::vector<TableEntry> stale_table;
  /// Compat mode only: a listener rejected the definition, so PyTorch lists it only in part
  /// (DSP-806).
  bool lost_definition = false;

  bool has_schema() const { return definition != nullptr; }
  /// Null if nothing is registered for exactly this key.
  RegisteredPtr newest_at(DispatchKey key) const {
    const auto found = kernels.find(key);
    return found == kernels.end() ? nullptr : found->second.front();
  }
};
using OperatorStatePtr = std::shared_ptr<const OperatorState>;

}  // namespace assay::reference
