// Gradients, as test authors ask for them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// What stands behind a tensor: `none`, `leaf`, `cast` or an operator.
struct NodeInfo {
  std::string kind;
  std::vector<std::string> next;
};

/// `custom_fwd` and `custom_bwd` around a custom function.
struct CustomCasts {
  std::string device;
  std::optional<Dtype> inputs = {};
};

class AutogradClient {
 public:
  explicit AutogradClient(Session& session) : session_(&session) {}

  /// For `scope`: blocks that switch a mode.
  Block grad_mode(bool value) const;
  Block inference_mode(bool value) const;
  bool is_grad_enabled() const;
  bool is_inference_mode() const;
  bool is_inference(const Value& tensor) const;

  /// Absent gradient: one, for a tensor of one element.
  void backward(const Value& tensor, const Value& gradient = {}, bool retain_graph = false) const;
  /// A gradient for each input: a tensor by value, or None where there is no path.
  std::vector<Value> grad(const Value& output, std::vector<Value> inputs,
                          const Value& gradient = {}) const;
  NodeInfo node(const Value& tensor) const;
  /// Types of the tensors that the node keeps for backward.
  std::vector<Dtype> saved(const Value& tensor) const;
  bool same_node(const Value& a, const Value& b) const;
  void hook(const Value& tensor, double factor) const;

  Ref function(const Callable& forward, const Callable& backward,
               const std::optional<CustomCasts>& casts = {}) const;
  /// The result under a fresh name.
  Ref apply(const Value& function, std::vector<Value> args) const;
  Ref checkpoint(const Callable& body, std::vector<Value> args) const;

 private:
  Ref named(std::string verb, Fields with) const;

  Session* session_;
};

}  // namespace assay
