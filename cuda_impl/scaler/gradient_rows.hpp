// The gradients of an optimizer as rows of launches, without sharing them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "cuda_impl/core/device/device.hpp"
#include "cuda_impl/kernels/scaler/unscale.hpp"
#include "cuda_impl/optim/optimizer.hpp"
#include "cuda_impl/scaler/unscaling.hpp"

namespace assay::cuda {

struct RowRules {
  HalfGradients halves;
  Release release;
};

/// The gradients of one device and dtype.
struct RowGroup {
  Dtype dtype;
  Device device = {};
  std::vector<TensorRow<1>> rows = {};  ///< room for all gradients
  std::size_t used = 0;
  std::vector<StridedRow> gapped = {};
  std::size_t empty = 0;  ///< gradients without elements

  bool takes(const TensorBody& grad) const { return grad.dtype == dtype && grad.device == device; }
  /// Returns false for gradients that raise.
  bool add(const TensorBody& grad);
  bool add_other(const TensorBody& grad);
  std::size_t tensors() const { return used + gapped.size() + empty; }
  std::size_t launches() const { return gapped.size() + (used > 0 ? 1 : 0); }
};

/// The gradients on one device. Reuses its memory from step to step.
class DeviceRows {
 public:
  /// Forgets all gradients, and makes room for `most`.
  void begin(Device device, std::size_t most);
  /// Null for dtypes that launches of `unscale_by_scale.hpp` do not take.
  RowGroup* group_of(Dtype dtype);

  Device device() const { return groups_.front().device; }
  /// Returns false if no gradient has elements, if float16 is to be refused, or if PyTorch 1.13
  /// might not launch all gradients.
  bool suit(const RowRules& rules) const;
  /// Requires elements, and the device to be current. One launch for each gradient with gaps, and
  /// for each dtype whose other gradients fit into a table.
  void launch(const UnscaleByScale& work) const;

 private:
  void count_calls() const;

  std::array<RowGroup, 3> groups_ = {{{Dtype::kFloat32}, {Dtype::kFloat64}, {Dtype::kFloat16}}};
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
