// Random litmus programs (§5.6 of the chapter on streams): all kinds of streams, events, gates,
// threads, copies.
#pragma once

#include <cstddef>

#include "harness/check/ordering.hpp"
#include "harness/program/litmus_draw.hpp"
#include "harness/program/random.hpp"

namespace assay::litmus {

struct RandomShape {
  std::size_t least_operations = 3;
  std::size_t most_operations = 12;
  std::size_t most_device_operations = 8;
  std::size_t most_threads = 2;
  std::size_t devices = 2;
};

/// Small enough to enumerate all outcomes. It may block forever.
Program random_program(Random& random, const RandomShape& shape = {});

struct LongProgram {
  Program program;
  /// An order in which each call returns before the next is made.
  CallOrder calls;
};

/// 5 to 40 operations that one host thread can make in sequence; every gate is opened.
LongProgram random_long_program(Random& random, const DrawOptions& options);

}  // namespace assay::litmus
