// The typed client of the area autograd: gradients.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>
#include <waist/calls/autograd.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// The node that produced a tensor: `none`, `leaf`, `cast` or an operator.
struct NodeInfo {
  std::string kind;
  std::vector<std::string> next;
  static NodeInfo from(const Reply& reply);
};

/// `custom_fwd` and `custom_bwd` of a custom function.
struct CustomCasts {
  std::string device;
  std::optional<Dtype> inputs = {};
};

class AutogradClient : public AutogradClientCalls {
 public:
  using AutogradClientCalls::AutogradClientCalls;

  /// Blocks for `scope` that switch a mode.
  Block grad_mode(bool value) const;
  Block inference_mode(bool value) const;

  /// Without a gradient: one, for a tensor of one element.
  void backward(const Value& tensor, const Value& gradient = {}, bool retain_graph = false) const;
  /// A gradient for each input: a tensor by value, or None if no path leads to it.
  std::vector<Value> grad(const Value& output, std::vector<Value> inputs,
                          const Value& gradient = {}) const;
  NodeInfo node(const Value& tensor) const;
  /// The types of the tensors that the node saves for backward.
  std::vector<Dtype> saved(const Value& tensor) const;
  Ref function(const Callable& forward, const Callable& backward,
               const std::optional<CustomCasts>& casts = {}) const;
};

}  // namespace assay
