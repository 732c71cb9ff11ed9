// Writes a program as a script that needs only PyTorch, for a bug report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/program/python/value.hpp"
#include "harness/protocol/message.hpp"

namespace assay::python {

/// The commands, each followed by a check of its reply against `exchanges`; `whose` names the
/// source of these replies (`what PyTorch 2.11.0 did on the CPU`). The script needs
/// only PyTorch, prints a line for each check, and exits with 1 if one differs, else with 0. Throws
/// NoForm, with the command, for a program that cannot be written in Python.
std::string script(const std::string& title, const std::string& whose, const Contract& contract,
                   const std::vector<std::pair<Command, Reply>>& exchanges);

}  // namespace assay::python
