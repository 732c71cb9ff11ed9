// Kernels, the table entries through which calls reach them, and the registrations of one operator.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// Arguments in order, the last on top; the callee replaces them by its returns (CORE-17).
using Stack = std::vector<Boxed>;

struct Entry;
struct Table;
class Operator;

/// Describes a C++ signature. There is one object for each, so signatures compare by address.
struct Signature {
  std::string (*name)();
  Schema (*schema)();
  std::size_t parameters;  ///< without a leading key set
};

using BoxedFunction = void (*)(const Entry& entry, KeySet keys, Stack& stack);
/// A type-erased `R (*)(const Entry&, KeySet, Args...)` with the entry's signature.
using TypedFunction = void (*)();

enum class KernelForm : std::uint8_t { kBoxed, kTyped, kFallthrough, kNamedGuard };

struct Kernel {
  KernelForm form = KernelForm::kFallthrough;
  BoxedFunction boxed = nullptr;
  TypedFunction typed = nullptr;
  const Signature* signature = nullptr;
  /// Data that the functions find through their entry; shared by all registrations of the kernel.
  std::shared_ptr<const void> functor = nullptr;

  bool is_typed() const { return form == KernelForm::kTyped; }
  bool is_fallthrough() const { return form == KernelForm::kFallthrough; }

  static Kernel fallthrough() { return {}; }
  static Kernel named_guard() { return {.form = KernelForm::kNamedGuard}; }
  /// Raises `internal` for a null function (DSP-421).
  static Kernel of_boxed(BoxedFunction function, std::shared_ptr<const void> functor = nullptr) {
    require(function != nullptr, ErrorKind::kInternal,
            [] { return "Kernel function cannot be nullptr"; });
    return {.form = KernelForm::kBoxed, .boxed = function, .functor = std::move(functor)};
  }
};

/// A registered kernel.
struct Registered {
  Kernel kernel;
  std::string debug;  ///< kernel name and place of registration
};
using RegisteredPtr = std::shared_ptr<const Registered>;

/// One slot of a table, in one cache line. It is always callable: an entry without a kernel raises.
struct alignas(64) Entry {
  const Signature* signature = nullptr;  ///< of `typed`; null without a typed kernel
  TypedFunction typed = nullptr;
  BoxedFunction boxed = nullptr;
  const Table* table = nullptr;
  const Registered* registered = nullptr;  ///< null if nothing is registered
  KeySet below;                            ///< the keys of lower priority
  Key key;                                 ///< the key of this entry
  bool runs = false;                       ///< whether there is a kernel; otherwise `boxed` raises
};
static_assert(sizeof(Entry) == 64);

/// The functor of the entry's kernel.
template <typename Functor>
const Functor& functor_of(const Entry& entry) {
  return *static_cast<const Functor*>(entry.registered->kernel.functor.get());
}

// The registrations of one operator. Immutable: each registration creates a new state.

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
