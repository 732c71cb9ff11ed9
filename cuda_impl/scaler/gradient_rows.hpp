// The gradients of an optimizer as rows of launches, without sharing them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/kernels/scaler/unscale_by_scale.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/scaler/unscaling.hpp"

namespace assay::cuda {

struct RowRules {
  HalfGradients halves;
  Release release;
};

/// The gradients on one device. Reuses its memory from step to step.
class DeviceRows {
 public:
  /// Forgets all gradients, and makes room for `most`.
  void begin(Device device, std::size_t most);
  /// Returns false if launches of `unscale_by_scale.hpp` cannot do: for gradients of another dtype,
  /// and for those that raise.
  bool add(const TensorBody& grad);

  Device device() const { return device_; }
  /// Returns false if no gradient has elements, if float16 is to be refused, or if PyTorch 1.13
  /// might not launch all gradients.
  bool suit(const RowRules& rules) const;
  /// Requires elements, and the device to be current. One launch for each gradient with gaps, and
  /// for each dtype whose other gradients fit into a table.
  void launch(const UnscaleByScale& work) const;

 private:
  struct Group {
    Dtype dtype;
    std::vector<TensorRow<1>> rows = {};  ///< room for all gradients
    std::size_t used = 0;
    std::size_t others = 0;  ///< gradients with gaps or without elements

    std::size_t tensors() const { return used + others; }
  };
  struct Gapped {
    Dtype dtype;
    StridedRow row;
  };

  /// Null for dtypes that are not taken.
  Group* group_of(Dtype dtype);
  bool add_gapped(const TensorBody& grad);
  void count_calls() const;

  Device device_ = {};
  std::array<Group, 3> groups_ = {{{Dtype::kFloat32}, {Dtype::kFloat64}, {Dtype::kFloat16}}};
  std::vector<Gapped> gapped_;
};

class GradientRows {
 public:
  /// Returns false if some of the gradients need the operator: if they are on the host, or if
  /// `DeviceRows` does not take them or they do not suit the rules. Coalesces sparse float16
  /// gradients (SCL-207), and changes nothing else but itself.
  bool collect(const Optimizer& optimizer, const RowRules& rules);
  /// In the order of first use. Requires that `collect` returned true.
  std::span<const DeviceRows> devices() const { return std::span(devices_).first(used_); }

 private:
  DeviceRows& rows_on(Device device, std::size_t most);

  std::vector<DeviceRows> devices_;
  std::size_t used_ = 0;
};

}  // namespace assay::cuda
