// For cases about the CPU or CUDA itself, which do not apply to other devices under the same
// rules.
#pragma once

#include <string_view>

#include "harness/suite/session.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {

/// Throws NotOffered if the device under test has another type.
inline void expect_itself(const Session& subject, std::string_view type) {
  const Device device = subject.device();
  if (device.type == type) return;
  throw NotOffered("is about " + std::string(type) + " itself, and the device under test is " +
                   to_text(device));
}

inline void expect_cpu_itself(const Session& subject) { expect_itself(subject, "cpu"); }
inline void expect_cuda_itself(const Session& subject) { expect_itself(subject, "cuda"); }

}  // namespace assay
