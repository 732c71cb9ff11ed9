// Writes values as Python expressions that need only PyTorch.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/protocol/value.hpp"

namespace assay::python {

/// The command or value has no form in Python.
class NoForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The Python variable for a named object; unique.
std::string variable(const std::string& name);

/// Exact: evaluates to the same value, bit for bit. `on_cuda`: tensors are made on the accelerator
/// unless they specify a device. Throws NoForm.
std::string expression(const Value& value, bool on_cuda);

/// A string literal.
std::string in_quotes(std::string_view text);

}  // namespace assay::python
