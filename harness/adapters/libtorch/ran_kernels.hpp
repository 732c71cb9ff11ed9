// Which kernels of the client ran, as replies tell it.
#pragma once

#include <memory>

#include "harness/adapters/libtorch/dispatch/kernels.hpp"

namespace assay::libtorch {

/// A kernel has started on this thread: every list that is open gets an entry. `schema` tells which
/// ints are dtypes; null where there is none.
void write_ran(const Run& run, bool boxed, const c10::FunctionSchema* schema);

/// Writes kernels down as they start on this thread, until it is stopped.
class RanList {
 public:
  RanList();
  ~RanList() { stop(); }
  RanList(const RanList&) = delete;
  RanList& operator=(const RanList&) = delete;

  List take();
  void stop();

 private:
  std::shared_ptr<List> entries_;
};

}  // namespace assay::libtorch
