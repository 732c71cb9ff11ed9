// The one interface of the waist: a subject answers commands.
#pragma once

#include "harness/protocol/message.hpp"

namespace assay {

/// What runs blocks for a subject: the interpreter that stands around it (interpreter.hpp). A
/// subject uses it when one of its own commands has to call something that the client supplied: a
/// kernel, a listener, an optimizer's step.
class Host {
 public:
  virtual ~Host() = default;

  /// Calls the callback of that name; `$0`, `$1`, … are `arguments` inside it, and each of `named`
  /// is `$name`. The reply's `ok.result` is what it returned; a failure inside comes back as the
  /// reply. `warnings` are those of all commands inside, for the caller to pass on. Runs on the
  /// calling thread, which may be one of the subject's own.
  virtual Reply call(const std::string& callback, const std::vector<Value>& arguments,
                     const Fields& named = {}) = 0;
};

/// An implementation under test. Errors of the runtime are replies; an exception out of `execute`
/// is a defect of the subject and is answered as `internal`.
class Subject {
 public:
  virtual ~Subject() = default;

  /// `command` is never one of the block commands: the host has dealt with those. Called from
  /// several threads only if the subject says so in `hello`.
  virtual Reply execute(const Command& command, Host& host) = 0;
};

}  // namespace assay
