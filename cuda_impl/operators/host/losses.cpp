// CPU losses and scans, with the element functions of the kernels.
#include "cuda_impl/operators/host/on_host.hpp"

namespace assay::cuda::on_host {

void loss(const LossTask& task) {
  for (std::int64_t i = 0; i < task.count; ++i) {
    if (task.is_double) {
      static_cast<double*>(task.out)[i] = loss_at<double>(task, i);
    } else {
      static_cast<float*>(task.out)[i] = loss_at<float>(task, i);
    }
  }
}

void class_loss(const ClassLossTask& task) {
  for (std::int64_t i = 0; i < task.count(); ++i) {
    if (task.is_double) {
      pick_class<double>(task, i);
    } else {
      pick_class<float>(task, i);
    }
  }
}

void class_slope(const ClassSlopeTask& task) {
  for (std::int64_t i = 0; i < task.count(); ++i) {
    if (task.is_double) {
      spread_class<double>(task, i);
    } else {
      spread_class<float>(task, i);
    }
  }
}

void scan(const ScanTask& task) {
  visit_scanned(task.dtype, [&](auto number) {
    for (std::int64_t line = 0; line < task.outer * task.inner; ++line) {
      scan_line<decltype(number)>(task, line);
    }
  });
}

}  // namespace assay::cuda::on_host
