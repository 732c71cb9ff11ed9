// The interface of a subject: it answers commands.
#pragma once

#include "harness/protocol/message.hpp"

namespace assay {

/// Runs blocks for a subject: implemented by the interpreter (interpreter.hpp). A subject uses it
/// when a command has to call something supplied by the client: a kernel, a listener, an
/// optimizer's step.
class Host {
 public:
  virtual ~Host() = default;

  /// Calls the callback with that name. Inside it, `$0`, `$1`, … are `arguments`, and each of
  /// `named` is `$name`. The reply's `ok.result` is its result; a failure inside is returned as the
  /// reply. `warnings` receives those of all commands inside, for the caller to report. Runs on the
  /// calling thread, which may be one of the subject's own.
  virtual Reply call(const std::string& callback, const std::vector<Value>& arguments,
                     const Fields& named = {}) = 0;
};

/// An implementation under test. Errors of the runtime are replies; an exception thrown by
/// `execute` is a defect of the subject, and is answered as `internal`.
class Subject {
 public:
  virtual ~Subject() = default;

  /// `command` is never a block command, which the host handles. Called from several threads only
  /// if the subject says so in `hello`.
  virtual Reply execute(const Command& command, Host& host) = 0;
};

}  // namespace assay
