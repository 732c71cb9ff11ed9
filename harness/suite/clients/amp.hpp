// The two operators of loss scaling, as test authors call them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// Arguments are values of any kind, so that wrong ones can be sent as well. Options that are empty
/// are not sent.
struct UnscaleArguments {
  std::vector<Value> grads = {};
  Value found_inf = 0.0;
  Value inv_scale = 1.0;
  std::string variant = {};                     ///< `in_place` (the default), `functional`, `out`
  std::string route = {};                       ///< `dispatch` (the default), `kernel`
  std::optional<Device> device = {};            ///< where scalars given as numbers live
  std::optional<Value> in_place_of_grads = {};  ///< sent instead of the list, whatever it is
  std::uint64_t digest = 0;                     ///< gradients come back as digests of such blocks
};

/// After the call. Empty inside `Session::block`.
struct UnscaleResult {
  std::vector<TensorValue> grads;
  Value found_inf;
  /// What the functional variant returned, or what `out` holds; empty otherwise.
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

/// After the call. Numbers where numbers were given, tensors or references otherwise. Empty inside
/// `Session::block`.
struct UpdateScaleResult {
  Value scale;
  Value tracker;
  Value found_inf;
  /// What the functional variant returned, or what `out` holds; none otherwise.
  Value result;
  Value result_tracker;
  Reply reply;

  /// Whether the returned tensor is `scale` itself.
  bool same() const;
};

/// Both operators' arguments; the flag is one.
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

/// After the call. Empty inside `Session::block`.
struct UnscaleAndUpdateResult {
  std::vector<TensorValue> grads;
  Value found_inf;
  Value scale;
  Value tracker;
};

struct PlanArguments {
  std::vector<std::int64_t> counts;  ///< elements of each tensor
  std::int64_t most_tensors = 110;
  std::int64_t most_blocks = 320;
};

class AmpClient {
 public:
  explicit AmpClient(Session& session) : session_(session) {}

  UnscaleResult unscale(const UnscaleArguments& arguments);
  UpdateScaleResult update_scale(const UpdateScaleArguments& arguments);
  UnscaleAndUpdateResult unscale_and_update(const UnscaleAndUpdateArguments& arguments);
  std::vector<std::string> schemas();
  /// Blocks of each launch.
  std::vector<std::int64_t> plan(const PlanArguments& arguments);

 private:
  Session& session_;
};

}  // namespace assay
