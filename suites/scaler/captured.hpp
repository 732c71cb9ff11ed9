// Helpers for cases of captured scalers.
#pragma once

#include "harness/suite/clients/graph.hpp"
#include "harness/suite/device_error.hpp"
#include "suites/scaler/training.hpp"

namespace assay::suites {

/// The gradient itself, by name: values written to it are used by the next replay.
inline Tensor gradient_of(Session& subject, const Tensor& param) {
  const std::string name = subject.fresh_name("grad");
  subject.send("core.grad", {{"tensor", param}}, name);
  return Tensor::named(subject, name);
}

inline Tensor product(Session& subject, const Value& left, const Value& right) {
  const std::string name = subject.fresh_name("product");
  subject.send("core.op", {{"name", "mul"}, {"args", List{{left, right}}}}, name);
  return Tensor::named(subject, name);
}

/// A parameter, its optimizer, and a scaler with scale 4.
struct Training {
  explicit Training(Session& subject,
                    const ScalerOptions& options = {.init_scale = 4, .growth_interval = 2},
                    const std::string& mode = "plain")
      : param(parameter(subject, 1, 8)),
        grad(gradient_of(subject, param)),
        optimizer(sgd(subject, {param}, 0.25, mode)),
        scaler(ready(subject, options)) {}

  Tensor param;
  Tensor grad;
  OptimizerHandle optimizer;
  ScalerHandle scaler;
};

struct Expected {
  float given;  ///< the gradient before the replay
  float grad;
  float scale;
  std::int64_t tracker;
};

inline void expect_replay(const Training& training, const GraphObject& graph,
                          const Expected& expected, Where where = Where::current()) {
  training.grad.fill_(expected.given);
  graph.replay();
  expect_bits(training.grad.read(), f32({expected.grad}), where);
  expect_scale(training.scaler, expected.scale, where);
  expect_tracker(training.scaler, expected.tracker, where);
}

}  // namespace assay::suites
