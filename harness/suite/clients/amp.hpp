// The typed client of the area amp: the two operators of loss scaling.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include <waist/calls/amp.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

/// Arguments are values of any kind, so that invalid ones can be sent too. Empty options are not
/// sent.
struct UnscaleArguments {
  std::vector<Value> grads = {};
  Value found_inf = 0.0;
  Value inv_scale = 1.0;
  std::string variant = {};                     ///< `in_place` (the default), `functional`, `out`
  std::string route = {};                       ///< `dispatch` (the default), `kernel`
  std::optional<Device> device = {};            ///< the device of scalars given as numbers
  std::optional<Value> in_place_of_grads = {};  ///< sent instead of the list; any kind
  std::uint64_t digest = 0;  ///< gradients are returned as digests with this block size
};

/// The state after the call. Empty inside `Session::block`.
struct UnscaleResult {
  std::vector<TensorValue> grads;
  Value found_inf;
  /// The result of the functional variant, or the contents of `out`; empty otherwise.
  std::vector<TensorValue> result;
  Value result_found_inf;
};

struct UpdateScaleArguments {
  Value scale = 65536.0;
  Value tracker = 0;
  Value found_inf = 0.0;
  Value growth = 2.0;
  Value backoff = 0.5;
  Value interval = 2000;
  std::string variant = {};
  std::string route = {};
  std::optional<Device> device = {};
};

/// The state after the call: numbers for number arguments, else tensors or references. Empty inside
/// `Session::block`.
struct UpdateScaleResult {
  Value scale;
  Value tracker;
  Value found_inf;
  /// The result of the functional variant, or the contents of `out`; none otherwise.
  Value result;
  Value result_tracker;
  Reply reply;

  /// True if the returned tensor is `scale` itself.
  bool same() const;
};

/// The arguments of both operators, with a common flag.
struct UnscaleAndUpdateArguments {
  std::vector<Value> grads = {};
  Value found_inf = 0.0;
  Value inv_scale = 1.0;
  Value scale = 65536.0;
  Value tracker = 0;
  Value growth = 2.0;
  Value backoff = 0.5;
  Value interval = 2000;
};

/// The state after the call. Empty inside `Session::block`.
struct UnscaleAndUpdateResult {
  std::vector<TensorValue> grads;
  Value found_inf;
  Value scale;
  Value tracker;
};

struct PlanArguments {
  std::vector<std::int64_t> counts;  ///< the number of elements of each tensor
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

class AmpClient : public AmpClientCalls {
 public:
  using AmpClientCalls::AmpClientCalls;
  UnscaleResult unscale(const UnscaleArguments& arguments);
  UpdateScaleResult update_scale(const UpdateScaleArguments& arguments);
  UnscaleAndUpdateResult unscale_and_update(const UnscaleAndUpdateArguments& arguments);
  /// The number of blocks of each launch.
  std::vector<std::int64_t> plan(const PlanArguments& arguments);
};

}  // namespace assay
