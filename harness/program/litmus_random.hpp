// Random litmus programs (§5.6 of the chapter on streams): all kinds of streams, events, gates,
// threads, copies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/check/litmus.hpp"
#include "harness/check/ordering.hpp"
#include "harness/program/random.hpp"

namespace assay::litmus {

// Objects and operations.

struct DrawOptions {
  std::size_t devices = 1;
  /// Use two host buffers, and copies.
  bool copies = false;
  /// Use per-thread default streams, which have no id in PyTorch 1.13 (STR-010).
  bool per_thread = true;
};

/// Uses 2 to 4 streams of mixed kinds, at most one of them legacy, and up to 3 events per device.
class Draw {
 public:
  Draw(Random& random, const DrawOptions& options);

  /// The declarations of host buffers; they precede all other operations.
  const std::vector<Operation>& declarations() const { return declarations_; }
  /// A random operation other than those on gates and signals.
  Operation operation();
  Operation gate();

 private:
  const Stream& any_stream() { return random_.of(streams_); }
  Stream stream_to_ask();
  std::string location(const Stream& user);
  std::string event(int device);
  Operation copy();

  Random& random_;
  DrawOptions options_;
  std::vector<Stream> streams_;
  std::vector<Operation> declarations_;
  std::size_t events_ = 1;
  std::size_t gates_ = 0;
  std::int64_t last_value_ = 0;
};

// Programs.

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
