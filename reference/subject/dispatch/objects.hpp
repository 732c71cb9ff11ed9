// What the client names in the area dispatch, and how its commands read their arguments.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "reference/dispatch/dispatcher_of.hpp"
#include "reference/dispatch/registry/library.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// `dispatch.kernel` makes one; what is registered keeps its function alive after the name is gone.
struct NamedKernel {
  Kernel kernel;
  std::string label;
};

/// `dispatch.handle` makes one.
struct NamedHandle {
  OperatorHandle op;
  std::optional<CppSignature> signature;
};

/// What a name holds of a registration: dropping the name deregisters, also when a library has a
/// part in it.
struct NamedRegistration {
  explicit NamedRegistration(SharedRegistration held) : registration(std::move(held)) {}
  ~NamedRegistration() { registration->drop(); }
  NamedRegistration(const NamedRegistration&) = delete;
  NamedRegistration& operator=(const NamedRegistration&) = delete;

  SharedRegistration registration;
};

inline Dispatcher& dispatcher_of(Call& call) { return dispatcher_of(call.runtime()); }

/// Any key of the release, also those that PyTorch's parser lacks: a C++ program writes them as
/// enumerators.
DispatchKey key_from(Call& call, const std::string& name);
/// Nothing when the argument is absent.
std::optional<DispatchKey> key_or_none(Call& call, std::string_view name);
/// A set: its bits, or a list of keys (DSP-108).
KeySet set_argument(Call& call, std::string_view name);

/// By its name, or a handle. Raises `error` when nothing has that name.
OperatorHandle operator_argument(Call& call, std::string_view name);
/// The text, or the name of the handle's operator.
std::string operator_name_argument(Call& call, std::string_view name);

}  // namespace assay::reference
