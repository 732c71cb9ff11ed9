// What is registered for one operator at one moment: a value, replaced as a whole, never changed.
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

/// One registration of a kernel.
struct Registered {
  Kernel kernel;
  std::string debug;                       ///< for messages and dumps
  std::optional<FunctionSchema> inferred;  ///< of a typed kernel
};
using RegisteredPtr = std::shared_ptr<const Registered>;

/// By key; a key has at most one (DSP-413).
using Fallbacks = std::map<DispatchKey, RegisteredPtr>;

/// Where a slot's kernel comes from (DSP-501).
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
  RegisteredPtr kernel;  ///< null when missing or ambiguous
  Provenance provenance = Provenance::kMissing;

  /// Is something there, be it a fallthrough or the ambiguity?
  bool is_valid() const { return provenance != Provenance::kMissing; }
  bool is_fallthrough() const { return kernel != nullptr && kernel->kernel.is_fallthrough(); }
};

/// What a def says.
struct Definition {
  FunctionSchema schema;
  std::string debug;
  AliasKind alias_kind = AliasKind::kFromSchema;
  std::vector<std::string> tags;
};

/// The signature that an operator's typed kernels share, and who brought it (DSP-409).
struct RecordedSignature {
  CppSignature signature;
  std::optional<DispatchKey> key;  ///< nothing for a catch-all
  std::string debug;
};

struct OperatorState {
  OperatorName name;
  /// False once neither def nor impl is left: it is no operator any more (DSP-418, DSP-419).
  bool alive = true;
  std::shared_ptr<const Definition> definition;
  /// By the key of registration, newest first (DSP-412). No list is empty.
  std::map<DispatchKey, std::vector<RegisteredPtr>> kernels;
  std::optional<RecordedSignature> signature;
  /// Only in compat: PyTorch's table by slot, with what its updates forget (DSP-509).
  std::vector<TableEntry> stale_table;
  /// Only in compat: a listener refused the definition, which PyTorch then neither has nor lacks
  /// (DSP-806).
  bool lost_definition = false;

  bool has_schema() const { return definition != nullptr; }
  /// Null when none is registered exactly there.
  RegisteredPtr newest_at(DispatchKey key) const {
    const auto found = kernels.find(key);
    return found == kernels.end() ? nullptr : found->second.front();
  }
};
using OperatorStatePtr = std::shared_ptr<const OperatorState>;

}  // namespace assay::reference
