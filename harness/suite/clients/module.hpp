// The typed client of the area module: modules and their conversion.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <waist/calls/module.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// Calls that return a Ref give their result a new name; those that convert the module return it by
/// the subject's name for it.
class ModuleHandle : public ModuleHandleCalls {
 public:
  using ModuleHandleCalls::ModuleHandleCalls;

  void set_empty_parameter(const std::string& name) const;
  void set_empty_buffer(const std::string& name) const;
  /// The parameter, or None if the slot is empty.
  Value parameter_value(const std::string& path) const;
  /// References to the tensors of a list.
  std::vector<Ref> attributes(const std::string& path) const;
  /// `cpu`, `half`, `float`, `double`, `bfloat16`
  Ref move(const std::string& how) const;
  /// The result by value or, with `as`, by that name.
  Value forward(std::vector<Value> args, std::string as = {}) const;
};

class ModuleClient : public ModuleClientCalls {
 public:
  using ModuleClientCalls::ModuleClientCalls;

  ModuleHandle plain() const { return make("plain"); }
  ModuleHandle linear(Value weight, std::optional<Value> bias = {}) const;
  ModuleHandle relu() const { return make("relu"); }
  ModuleHandle mse_loss() const { return make("mse_loss"); }
  ModuleHandle sequential(std::vector<Value> modules) const;

 private:
  ModuleHandle make(std::string kind, Fields with = {}) const;
};

}  // namespace assay
