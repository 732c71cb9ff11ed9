// The named objects of the area dispatch, and how its commands read their arguments.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cuda_impl/dispatch/registry/library.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

using dispatch::Dispatcher;
using dispatch::Entry;
using dispatch::Functionality;
using dispatch::Kernel;
using dispatch::Key;
using dispatch::KeySet;
using dispatch::Layout;
using dispatch::Operator;
using dispatch::OperatorName;
using dispatch::Stack;

struct MenuRow;

struct NamedHandle {
  std::shared_ptr<Dispatcher> dispatcher;
  Operator* op;
  const MenuRow* signature;  ///< null if untyped
};

/// Ends with its name, even if a library shares it.
struct NamedRegistration {
  explicit NamedRegistration(dispatch::SharedRegistration held) : registration(std::move(held)) {}
  ~NamedRegistration() { registration->drop(); }
  NamedRegistration(const NamedRegistration&) = delete;
  NamedRegistration& operator=(const NamedRegistration&) = delete;

  dispatch::SharedRegistration registration;
};

const Layout& layout_of(Call& call);
Value to_value(KeySet keys);
Value names_of(const std::vector<Key>& keys);

/// Throw InvalidArgument for a name that is not a key of the release.
Key key_from(Call& call, const std::string& name);
Key key_argument(Call& call, std::string_view name);
std::optional<Key> key_or_none(Call& call, std::string_view name);
/// An int or a list of keys.
KeySet set_argument(Call& call, std::string_view name);

/// Accepts a name or a handle.
std::string operator_text(Call& call, std::string_view name);
/// Raises `error` for an unknown operator.
Operator& operator_argument(Call& call, std::string_view name);

void give_handle(Call& call, Operator& op, const MenuRow* signature);

}  // namespace assay::cuda
