// A program of the waist as a script for PyTorch alone: what one attaches to a bug report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/program/python/value.hpp"
#include "harness/protocol/message.hpp"

namespace assay::python {

/// The commands, and after each the check that its reply is what `exchanges` say; `whose` says who
/// replied so (`what PyTorch 2.11.0 was recorded to do on the CPU`). Needs nothing but
/// PyTorch; prints a line for each check and ends with 1 when one differs, with 0 otherwise. Throws
/// NoForm for a program that Python cannot say, naming the command.
std::string script(const std::string& title, const std::string& whose, const Contract& contract,
                   const std::vector<std::pair<Command, Reply>>& exchanges);

}  // namespace assay::python
