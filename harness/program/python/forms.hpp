// The Python forms of commands, and how to fill them in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay::python {

/// A command as PyTorch code: the member `python` in the tables of the protocol.
struct Form {
  enum class Kind { kValue, kUncertain, kStatement, kFields, kNothing };
  Kind kind = Kind::kNothing;
  bool quietly = false;  ///< without autograd
  /// A single text without a name, or for kFields the names and texts of the fields.
  std::vector<std::pair<std::string, std::string>> texts;
};

/// Null if the command has no form.
const Form* form_of(std::string_view verb);

/// The text with the command's arguments. Throws NoForm if an argument has no form or no
/// placeholder.
std::string filled(std::string_view text, const Command& command, bool on_cuda);

}  // namespace assay::python
