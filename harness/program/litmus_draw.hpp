// What a random litmus program is made of, and operations on it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/check/litmus.hpp"
#include "harness/program/random.hpp"

namespace assay::litmus {

struct DrawOptions {
  std::size_t devices = 1;
  /// Two host buffers, and copies.
  bool copies = false;
  /// Default streams of threads: PyTorch 1.13 has no id for them (STR-010).
  bool per_thread = true;
};

/// 2 to 4 streams of mixed kinds, at most one of them legacy; up to 3 events a device.
class Draw {
 public:
  Draw(Random& random, const DrawOptions& options);

  /// Of host buffers; they stand before everything else.
  const std::vector<Operation>& declarations() const { return declarations_; }
  /// Anything but gates and signals.
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

}  // namespace assay::litmus
