// Writes values as Python expressions that need only PyTorch.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/protocol/value.hpp"

namespace assay::python {

/// The command or value has no form in Python.
class NoForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The Python variable for a named object, whatever the name holds. `x.scale` becomes `x__scale`.
/// Different names become different variables, and none that a script uses for itself.
std::string variable(const std::string& name);

/// True if Python takes the text for a name, and for no word of its own.
bool is_identifier(std::string_view text);

/// Exact: evaluates to the same value, bit for bit. `on_cuda`: tensors are made on the accelerator
/// unless they specify a device. Throws NoForm.
std::string expression(const Value& value, bool on_cuda);

/// The text as it stands between double quotes, single or triple, and evaluates to itself. All text
/// that is not this program's own goes through here: only printable ASCII is left.
std::string escaped(std::string_view text);
/// A string literal.
std::string in_quotes(std::string_view text);

}  // namespace assay::python
