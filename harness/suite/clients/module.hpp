// The typed client of the area module: modules and their conversion.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The properties of a new parameter; empty options are not sent.
struct ParameterOptions {
  std::optional<bool> requires_grad = {};
  std::optional<bool> raw = {};  ///< use the tensor itself, not a parameter made from it
};

/// The options of `to`; empty options are not sent.
struct ModuleMove {
  std::optional<Dtype> dtype = {};
  std::optional<Device> device = {};
  std::optional<Value> like = {};
  std::optional<bool> non_blocking = {};
  std::optional<bool> copy = {};
  std::string memory_format = {};  ///< `preserve`, `contiguous`, `channels_last`
};

/// Paths, one for each occurrence.
struct ModuleList {
  std::vector<std::string> parameters;
  std::vector<std::string> buffers;
};

/// A module of the subject, referred to by name. Converts to a value. Calls that return a Ref give
/// their result a new name.
class ModuleHandle {
 public:
  ModuleHandle(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  Ref set_parameter(const std::string& name, Value tensor, const ParameterOptions& how = {}) const;
  Ref set_buffer(const std::string& name, Value tensor, std::optional<bool> persistent = {}) const;
  void set_empty_parameter(const std::string& name) const;
  void set_empty_buffer(const std::string& name) const;
  void set_child(const std::string& name, const Value& child) const;
  void set_attribute(const std::string& name, Value value) const;

  Ref parameter(const std::string& path) const;
  Ref buffer(const std::string& path) const;
  /// The parameter, or None if the slot is empty.
  Value parameter_value(const std::string& path) const;
  Ref attribute(const std::string& path) const;
  /// References to the tensors of a list.
  std::vector<Ref> attributes(const std::string& path) const;
  ModuleList list() const;
  void train(bool value) const;
  bool is_training() const;

  /// Each returns the module itself, by the subject's name for it.
  Ref to(const ModuleMove& how) const;
  Ref cuda(const std::optional<Device>& device = {}) const;
  /// `cpu`, `half`, `float`, `double`, `bfloat16`
  Ref move(const std::string& how) const;
  Ref type(Dtype dtype) const;
  Ref to_empty(const Device& device, std::optional<bool> recurse = {}) const;
  Ref apply_tensors(const Callable& function, std::optional<bool> recurse = {}) const;

  /// The result by value or, with `as`, by that name.
  Value forward(std::vector<Value> args, std::string as = {}) const;

 private:
  Reply send(std::string verb, Fields with = {}, std::string as = {}) const;
  Ref named(std::string verb, Fields with) const;
  Ref itself(std::string verb, Fields with = {}) const;

  Session* session_;
  std::string name_;
};

struct ConversionFlagArguments {
  std::optional<bool> overwrite = {};
  std::optional<bool> swap = {};
};

class ModuleClient {
 public:
  explicit ModuleClient(Session& session) : session_(&session) {}

  ModuleHandle plain() const { return make("plain"); }
  ModuleHandle linear(Value weight, std::optional<Value> bias = {}) const;
  ModuleHandle relu() const { return make("relu"); }
  ModuleHandle mse_loss() const { return make("mse_loss"); }
  ModuleHandle sequential(std::vector<Value> modules) const;
  void flags(const ConversionFlagArguments& flags) const;

 private:
  ModuleHandle make(std::string kind, Fields with = {}) const;

  Session* session_;
};

}  // namespace assay
