// The objects that clients name in the area dispatch, and argument access; keys and key sets in
// arguments and results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/dispatch/dispatcher.hpp"
#include "reference/dispatch/keys/key_set.hpp"
#include "reference/dispatch/registry/library.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {

/// Created by `dispatch.kernel`. Registrations keep the function alive after the name is dropped.
struct NamedKernel {
  Kernel kernel;
  std::string label;
};

/// Created by `dispatch.handle`.
struct NamedHandle {
  OperatorHandle op;
  std::optional<CppSignature> signature;
};

/// A named registration. Dropping the name removes
/// the registration, even if a library shares it.
struct NamedRegistration {
  explicit NamedRegistration(SharedRegistration held) : registration(std::move(held)) {}
  ~NamedRegistration() { registration->drop(); }
  NamedRegistration(const NamedRegistration&) = delete;
  NamedRegistration& operator=(const NamedRegistration&) = delete;

  SharedRegistration registration;
};

inline Dispatcher& dispatcher_of(Call& call) { return dispatcher_of(call.runtime()); }

/// Accepts all keys of the release, including those that PyTorch's parser lacks, since C++ programs
/// use enumerators.
DispatchKey key_from(Call& call, const std::string& name);
/// Empty if the argument is absent.
std::optional<DispatchKey> key_or_none(Call& call, std::string_view name);
/// A set as bits or as a list of keys (DSP-108).
KeySet set_argument(Call& call, std::string_view name);

/// Accepts a name or a handle. Raises `error` for an unknown name.
OperatorHandle operator_argument(Call& call, std::string_view name);
/// Returns the text, or the name of the handle's operator.
std::string operator_name_argument(Call& call, std::string_view name);

/// The key layout of the call's release.
inline const KeyLayout& key_layout(Call& call) { return KeyLayout::of(call.contract().release); }

inline DispatchKey key_argument(Call& call, std::string_view name) {
  return key_from(call, call.arguments().text(name));
}

inline Value to_value(KeySet set) { return static_cast<std::int64_t>(set.bits); }

inline Value to_value(const std::vector<DispatchKey>& keys) {
  assay::List list;
  for (const DispatchKey key : keys) list.items.emplace_back(name_of(key));
  return list;
}

}  // namespace assay::reference
