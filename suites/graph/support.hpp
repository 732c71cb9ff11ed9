// What the cases of graphs share: words on the first device, and work that needs no kernel, so that
// a runtime whose devices only copy can be asked as well.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/graph.hpp"

namespace assay::suites {

/// A case for devices that have graphs.
CaseOptions graph_case(std::string_view name, std::vector<std::string> clauses,
                       std::function<void(Session&)> body, Where where = Where::current());

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

/// `action` must be refused by the driver; with that code where the contract's errors carry one.
void expect_refused(Session& subject, const std::function<void()>& action, std::int64_t code,
                    Where where = Where::current());

}  // namespace assay::suites
