// The typed client of the area scaler: gradient scalers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/clients/optim.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// The scale and the growth tracker, or None before the first `scale`.
struct ScalerTensors {
  Value scale;
  Value tracker;
};

/// Flags by device, in the order of the reply.
using FoundInf = std::vector<std::pair<Device, Value>>;

struct StageReply {
  std::string stage;   ///< `READY`, `UNSCALED`, `STEPPED`
  bool known = false;  ///< the scaler has an entry for this optimizer
};

class ScalerHandle;

struct MovedScaler;

/// Arguments that a step passes on to the optimizer.
struct StepArguments {
  std::vector<Value> args = {};
  std::vector<std::pair<std::string, Value>> kwargs = {};
};

/// A scaler of the subject, referred to by name. Converts to a value.
class ScalerHandle {
 public:
  ScalerHandle(Session& session, std::string name) : session_(&session), name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  /// The result by value or, with `as`, by that name.
  Value scale(Value outputs, std::string as = {}) const;
  void unscale_(const Value& optimizer) const;
  Value step(const Value& optimizer, const StepArguments& arguments = {}) const;
  void update() const;
  void update(Value new_scale) const;

  double get_scale() const;
  double get_growth_factor() const;
  double get_backoff_factor() const;
  std::int64_t get_growth_interval() const;
  std::int64_t get_growth_tracker() const;
  bool is_enabled() const;
  void set_growth_factor(double value) const;
  void set_backoff_factor(double value) const;
  void set_growth_interval(std::int64_t value) const;

  Dict state_dict() const;
  void load_state_dict(Dict state) const;
  ScalerHandle pickle() const;
  ScalerHandle deepcopy() const;
  MovedScaler move() const;

  /// With `as`: named AS.scale and AS.tracker.
  ScalerTensors tensors(std::string as = {}) const;
  /// With `as`: named AS.0, AS.1, …
  FoundInf found_inf(const Value& optimizer, std::string as = {}) const;
  FoundInf check_inf(const Value& optimizer, std::string as = {}) const;
  StageReply stage(const Value& optimizer) const;

 private:
  Reply send(std::string verb, Fields with = {}, std::string as = {}) const;
  template <typename T>
  T read(std::string verb) const;
  FoundInf flags(std::string verb, const Value& optimizer, std::string as) const;
  ScalerHandle copy(std::string verb) const;

  Session* session_;
  std::string name_;
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

class ScalerClient {
 public:
  explicit ScalerClient(Session& session) : session_(&session) {}

  /// Constructs with exactly these options.
  ScalerHandle construct(const ScalerOptions& options) const;
  /// The same, by default on the type of device where the contract's tensors live.
  ScalerHandle make(ScalerOptions options = {}) const;
  /// An existing scaler with that name.
  ScalerHandle named(std::string name) const { return {*session_, std::move(name)}; }

  struct Next {
    bool done = false;
    Value result;
  };
  Next next(const std::string& lazy) const;

 private:
  Session* session_;
};

}  // namespace assay
