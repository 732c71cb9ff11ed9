// Kernels, and the entries of tables that calls reach them by.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cuda_impl/core/boxed.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/dispatch/keys/layout.hpp"
#include "cuda_impl/dispatch/schema/schema.hpp"

namespace assay::cuda::dispatch {

/// Arguments from the left, the last on top; a callee leaves its returns in their place (CORE-17).
using Stack = std::vector<Boxed>;

struct Entry;
struct Table;
class Operator;

/// What is known of a C++ signature; the address of the one object tells two of them apart.
struct Signature {
  std::string (*name)();
  Schema (*schema)();
  std::size_t parameters;  ///< without a leading set of keys
};

using BoxedFunction = void (*)(const Entry& entry, KeySet keys, Stack& stack);
/// In truth `R (*)(const Entry&, KeySet, Args...)`, of the entry's signature.
using TypedFunction = void (*)();

enum class KernelForm : std::uint8_t { kBoxed, kTyped, kFallthrough, kNamedGuard };

struct Kernel {
  KernelForm form = KernelForm::kFallthrough;
  BoxedFunction boxed = nullptr;
  TypedFunction typed = nullptr;
  const Signature* signature = nullptr;
  /// What the functions find by their entry; shared by all that is registered with it.
  std::shared_ptr<const void> functor = nullptr;

  bool is_typed() const { return form == KernelForm::kTyped; }
  bool is_fallthrough() const { return form == KernelForm::kFallthrough; }

  static Kernel fallthrough() { return {}; }
  static Kernel named_guard() { return {.form = KernelForm::kNamedGuard}; }
  /// Raises `internal` for null (DSP-421).
  static Kernel of_boxed(BoxedFunction function, std::shared_ptr<const void> functor = nullptr) {
    require(function != nullptr, ErrorKind::kInternal,
            [] { return "Kernel function cannot be nullptr"; });
    return {.form = KernelForm::kBoxed, .boxed = function, .functor = std::move(functor)};
  }
};

/// A kernel where it is registered.
struct Registered {
  Kernel kernel;
  std::string debug;  ///< what it is called, and where it was registered
};
using RegisteredPtr = std::shared_ptr<const Registered>;

/// One slot of a table. Whatever stands there can be called: what has no kernel raises.
struct Entry {
  const Signature* signature = nullptr;  ///< of `typed`; null where there is none
  TypedFunction typed = nullptr;
  BoxedFunction boxed = nullptr;
  const Table* table = nullptr;
  const Registered* registered = nullptr;  ///< null where nothing is
  KeySet below;                            ///< the keys below its own
  Key key;                                 ///< that this is the entry of
  bool runs = false;                       ///< a kernel; otherwise `boxed` raises
};

/// What the kernel of this entry was made with.
template <typename Functor>
const Functor& functor_of(const Entry& entry) {
  return *static_cast<const Functor*>(entry.registered->kernel.functor.get());
}

}  // namespace assay::cuda::dispatch
