// The commands that have a form in Python, and how a form is filled in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay::python {

/// A command as a user of PyTorch would write it: `python` in the tables of the waist.
struct Form {
  enum class Kind { kValue, kUncertain, kStatement, kFields, kNothing };
  Kind kind = Kind::kNothing;
  bool quietly = false;  ///< without autograd
  /// One without a name, or for kFields the fields' names and texts.
  std::vector<std::pair<std::string, std::string>> texts;
};

/// Null when the command has no form.
const Form* form_of(std::string_view verb);

/// The text with the command's arguments in it. Throws NoForm when an argument has none, or the
/// text has no place for one that was given.
std::string filled(std::string_view text, const Command& command, bool on_cuda);

}  // namespace assay::python
