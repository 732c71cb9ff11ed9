// Why a case was not answered: an unsupported command, or something that `hello` excluded.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The case needs what `hello` does not offer: a second device, a second thread.
class NotOffered : public Unsupported {
 public:
  using Unsupported::Unsupported;
};

/// The case needs a count that the subject does not report. In `without`, "counts" stands for all.
class NotCounted : public Unsupported {
 public:
  using Unsupported::Unsupported;
};

/// The case reads a field of a reply to which the subject is blind.
class Blind : public Unsupported {
 public:
  explicit Blind(const std::string& field)
      : Unsupported("the subject is blind to '" + field + "'"), field_(field) {}
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

/// The case needs fields of replies to which the subject is blind, each with its command
/// (`core.storage.result`), or counts (`counts`).
class NotShown : public Unsupported {
 public:
  explicit NotShown(std::vector<std::string> fields);
  const std::vector<std::string>& fields() const { return fields_; }

 private:
  std::vector<std::string> fields_;
};

/// The command at which a conversation ended: the innermost unsupported one, or the last; empty if
/// there was none.
std::string stopped_at(const std::vector<Exchange>& history);

/// The last command whose reply is blind to `field`, with the field if it is one of the command
/// (`core.storage.result`); empty if there is none.
std::string blind_at(const std::vector<Exchange>& history, const std::string& field);

/// `amp/unscale/one`, `amp.unscale` and `amp.unscale.grads` belong to the area `amp`; `scope` and
/// `value.result` belong to none.
std::string area_of_case(const std::string& id);
std::string area_of_command(const std::string& verb);
/// `core.storage` for `core.storage.result`, and for itself.
std::string command_of(const std::string& field);

}  // namespace assay
