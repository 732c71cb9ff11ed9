// The typed client of the area graph: capture and replay of work.
#pragma once

#include <functional>
#include <waist/calls/graph.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

class GraphObject : public GraphObjectCalls {
 public:
  using GraphObjectCalls::GraphObjectCalls;
  /// Begins the capture, calls `body`, and ends it, even if `body` throws.
  void capture(const std::function<void()>& body, const CaptureOptions& options = {}) const;
};

class GraphClient : public GraphClientCalls {
 public:
  using GraphClientCalls::GraphClientCalls;
  /// A graph of the work that `body` requests.
  GraphObject of(const std::function<void()>& body) const;
};

}  // namespace assay
