// The typed client of the area autograd: gradients.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The node that produced a tensor: `none`, `leaf`, `cast` or an operator.
struct NodeInfo {
  std::string kind;
  std::vector<std::string> next;
};

/// `custom_fwd` and `custom_bwd` of a custom function.
struct CustomCasts {
  std::string device;
  std::optional<Dtype> inputs = {};
};

class AutogradClient {
 public:
  explicit AutogradClient(Session& session) : session_(&session) {}

  /// Blocks for `scope` that switch a mode.
  Block grad_mode(bool value) const;
  Block inference_mode(bool value) const;
  bool is_grad_enabled() const;
  bool is_inference_mode() const;
  bool is_inference(const Value& tensor) const;

  /// Without a gradient: one, for a tensor of one element.
  void backward(const Value& tensor, const Value& gradient = {}, bool retain_graph = false) const;
  /// A gradient for each input: a tensor by value, or None if no path leads to it.
  std::vector<Value> grad(const Value& output, std::vector<Value> inputs,
                          const Value& gradient = {}) const;
  NodeInfo node(const Value& tensor) const;
  /// The types of the tensors that the node saves for backward.
  std::vector<Dtype> saved(const Value& tensor) const;
  bool same_node(const Value& a, const Value& b) const;
  void hook(const Value& tensor, double factor) const;

  Ref function(const Callable& forward, const Callable& backward,
               const std::optional<CustomCasts>& casts = {}) const;
  /// The result with a new name.
  Ref apply(const Value& function, std::vector<Value> args) const;
  Ref checkpoint(const Callable& body, std::vector<Value> args) const;

 private:
  Ref named(std::string verb, Fields with) const;

  Session* session_;
};

}  // namespace assay
