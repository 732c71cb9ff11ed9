// What the cases of graphs share: words on the first device, and work that needs no kernel, so that
// a runtime whose devices only copy can be asked as well.
#pragma once

#include <string>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/graph.hpp"
#include "harness/suite/device_error.hpp"

namespace assay::suites {

/// Two float32 elements on the first device, by name.
class Pair {
 public:
  Pair(Session& subject, float value);
  static Pair copied(Session& subject, const Pair& from);

  operator Value() const { return Ref{name_}; }
  const std::string& name() const { return name_; }
  /// Device to device.
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
