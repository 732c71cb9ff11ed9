// Values as expressions of Python, with nothing but PyTorch to hand.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/protocol/value.hpp"

namespace assay::python {

/// What this command or value would be in Python, nobody can say.
class NoForm : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The name that a script gives to a named object: a Python name of its own.
std::string variable(const std::string& name);

/// Exact: what Python computes from it is the same value, bit for bit. `on_cuda`: tensors are made
/// on the accelerator unless they say otherwise. Throws NoForm.
std::string expression(const Value& value, bool on_cuda);

/// A quoted text.
std::string in_quotes(std::string_view text);

}  // namespace assay::python
