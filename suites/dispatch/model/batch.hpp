// Sends the commands of a case together, in one exchange instead of hundreds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay::suites {

/// Collects commands that should succeed, and checks their replies after sending. For a command
/// that should fail, flush first and send it separately.
class Batch {
 public:
  using Check = std::function<void(const Reply&)>;

  explicit Batch(Session& subject) : subject_(subject) {}

  /// Adds the commands of `program`.
  void then(const std::function<void(Session&)>& program) { then(program, {}, {}); }
  /// Adds the single command of `program`; passes its reply to `check`, with the label `words`.
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
