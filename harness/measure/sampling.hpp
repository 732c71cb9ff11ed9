// Runs loops of `bench.run` side by side: checked, warmed up, calibrated, in turns.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/measure/loops.hpp"
#include "harness/subject/link.hpp"

namespace assay::measure {

/// A loop in a subject.
struct Contender {
  Link* link;
  const Loop* loop;
};

struct SamplingOptions {
  int rounds = 31;
  /// A batch runs at least so long.
  std::chrono::nanoseconds batch{5'000'000};
};

struct Samples {
  enum class Status : std::uint8_t {
    kTimed,
    kLacking,  ///< the subject does not have the loop
    kWrong,    ///< the subject raised, or did something else than the loop
  };
  Status status = Status::kTimed;
  std::string reason = {};      ///< unless timed
  std::int64_t times = 0;       ///< iterations of a batch
  std::vector<double> ns = {};  ///< of an iteration, one a round
};

/// Samples of each contender, in order. A contender first shows by its checksum that its loop does
/// what it should, and in every batch again; then batches grow until they are long enough, which
/// warms it up. In each round every contender runs one batch, in the opposite order to the round
/// before. Throws LinkBroken.
std::vector<Samples> sample(const std::vector<Contender>& contenders,
                            const SamplingOptions& options);

}  // namespace assay::measure
