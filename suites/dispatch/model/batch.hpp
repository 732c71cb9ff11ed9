// Commands of a case that are sent together: one conversation turn instead of hundreds.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay::suites {

/// Collects commands that are expected to succeed, and looks at their replies when they have been
/// sent. Whoever expects an error flushes, and asks by itself.
class Batch {
 public:
  using Check = std::function<void(const Reply&)>;

  explicit Batch(Session& subject) : subject_(subject) {}

  /// What `program` sends.
  void then(const std::function<void(Session&)>& program) { then(program, {}, {}); }
  /// The one command that `program` sends; its reply goes to `check`, under the label `words`.
  void then(const std::function<void(Session&)>& program, std::string words, Check check);
  void flush();

 private:
  struct Expected {
    std::size_t index = 0;  ///< of its command
    std::string words;
    Check check;
  };

  Session& subject_;
  Block commands_;
  std::vector<Expected> expected_;
};

}  // namespace assay::suites
