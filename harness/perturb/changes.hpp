// Programs with something changed about them that must not matter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// What is changed. The copy is of the whole program, and all its objects have names of their own.
struct Changes {
  bool beside = false;   ///< the program is sent too, each command before that of the copy
  bool thread = false;   ///< the copy runs on a thread of its own
  bool device = false;   ///< the copy uses the second device for the first, and the reverse
  bool no_grad = false;  ///< gradients are off for the copy

  bool operator==(const Changes&) const = default;
};

/// `beside a copy of itself, on another thread`
std::string in_words(const Changes& changes);
/// `beside thread`: the names of the changes, for records.
std::string names_of(const Changes& changes);

/// False if the same commands may have other replies, or if the program has names of the subject.
bool is_repeatable(const std::vector<Exchange>& program);
/// True if the program has the command, at any depth.
bool mentions(const std::vector<Exchange>& program, std::string_view verb);
/// True if the program has a command that minds `what` (protocol/schema.hpp), at any depth.
bool has_one_that_minds(const std::vector<Exchange>& program, std::string_view what);

/// All changes that the program of a case bears.
Changes borne_by(const std::vector<Exchange>& program, const SubjectInfo& info);

/// Each of these changes alone, or with the one without which the program does not bear it.
std::vector<Changes> each_of(const Changes& changes, const std::vector<Exchange>& program);

/// A command with the reply that it must have.
struct Step {
  Command command;
  Reply wanted;
  bool is_copy = false;
  int depth = 0;  ///< in how many blocks the case's command is
};

/// The program with these changes, which it bears.
std::vector<Step> changed(const std::vector<Exchange>& program, const Changes& changes,
                          const SubjectInfo& info);

}  // namespace assay
