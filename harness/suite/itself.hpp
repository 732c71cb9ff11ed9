// Cases about the CPU or CUDA itself, which another device that is held to its rules need not be
// like.
#pragma once

#include <string_view>

#include "harness/suite/lack.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// Throws NotOffered where the device under test has another name.
inline void expect_itself(const Session& subject, std::string_view type) {
  const Device device = subject.device();
  if (device.type == type) return;
  throw NotOffered("is about " + std::string(type) + " itself, and the device under test is " +
                   to_text(device));
}

inline void expect_cpu_itself(const Session& subject) { expect_itself(subject, "cpu"); }
inline void expect_cuda_itself(const Session& subject) { expect_itself(subject, "cuda"); }

}  // namespace assay
