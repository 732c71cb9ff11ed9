// Helpers for cases of graphs: words on the first device, and work without kernels, so that
// runtimes whose devices only copy can be tested too.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/device_error.hpp"

namespace assay::suites {

/// The words that a message of CUDA holds; graphs of other devices have words of their own.
std::vector<std::string> words_of_cuda(const Session& subject, std::vector<std::string> words);

/// A named tensor of two float32 elements on the first device.
class Pair {
 public:
  Pair(Session& subject, float value);
  static Pair copied(Session& subject, const Pair& from);

  operator Value() const { return Ref{name_}; }
  const std::string& name() const { return name_; }
  /// Copies from device to device.
  void copy(const Pair& from) const;
  void set(float value) const;
  void expect(float wanted, Where where = Where::current()) const;
  void drop() const { subject_->drop(name_); }

 private:
  Pair(Session* subject, std::string name) : subject_(subject), name_(std::move(name)) {}

  Session* subject_;
  std::string name_;
};

}  // namespace assay::suites
