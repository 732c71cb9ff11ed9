// The typed client of the area scaler: gradient scalers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <waist/calls/scaler.hpp>

#include "harness/suite/clients/optim.hpp"

namespace assay {

/// The scale and the growth tracker, or None before the first `scale`.
struct ScalerTensors {
  Value scale;
  Value tracker;
};

/// Flags by device, in the order of the reply.
using FoundInf = std::vector<std::pair<Device, Value>>;

struct MovedScaler;

/// Arguments that a step passes on to the optimizer.
struct StepArguments {
  std::vector<Value> args = {};
  std::vector<std::pair<std::string, Value>> kwargs = {};
};

class ScalerHandle : public ScalerHandleCalls {
 public:
  using ScalerHandleCalls::ScalerHandleCalls;

  /// The result by value or, with `as`, by that name.
  Value scale(Value outputs, std::string as = {}) const;
  Value step(const Value& optimizer, const StepArguments& arguments = {}) const;
  MovedScaler move() const;
  /// With `as`: named AS.scale and AS.tracker.
  ScalerTensors tensors(std::string as = {}) const;
  /// With `as`: named AS.0, AS.1, …
  FoundInf found_inf(const Value& optimizer, std::string as = {}) const;
  FoundInf check_inf(const Value& optimizer, std::string as = {}) const;

 private:
  FoundInf flags(std::string verb, const Value& optimizer, std::string as) const;
};

struct MovedScaler {
  ScalerHandle to;
  bool moved_from_enabled = false;
};

/// Absent members are not sent, so that the subject's defaults apply.
struct ScalerOptions {
  std::optional<Value> device = {};
  std::optional<double> init_scale = {};
  std::optional<double> growth_factor = {};
  std::optional<double> backoff_factor = {};
  std::optional<std::int64_t> growth_interval = {};
  std::optional<bool> enabled = {};
  std::vector<Value> positional = {};
  std::optional<std::string> api = {};  ///< `torch.amp`, `torch.cuda.amp`, `torch.cpu.amp`
  std::optional<bool> cuda_available = {};
};

class ScalerClient : public ScalerClientCalls {
 public:
  using ScalerClientCalls::ScalerClientCalls;

  /// Constructs with exactly these options.
  ScalerHandle construct(const ScalerOptions& options) const;
  /// The same, by default on the type of device where the contract's tensors live.
  ScalerHandle make(ScalerOptions options = {}) const;
  /// An existing scaler with that name.
  ScalerHandle named(std::string name) const { return {session(), std::move(name)}; }

  struct Next {
    bool done = false;
    Value result;
  };
  Next next(const std::string& lazy) const;
};

}  // namespace assay
