// Writes a program as a script that needs only PyTorch, for a bug report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/check/compare.hpp"
#include "harness/program/python/value.hpp"
#include "harness/protocol/message.hpp"

namespace assay::python {

/// The commands, each followed by a check of its reply against `exchanges`; `whose` names the
/// source of these replies (`what PyTorch 2.11.0 did on the CPU`). The script needs
/// only PyTorch, prints a line for each check, and exits with 1 if one differs, else with 0. Throws
/// NoForm, with the command, for a program that cannot be written in Python.
std::string script(const std::string& title, const std::string& whose, const Contract& contract,
                   const std::vector<std::pair<Command, Reply>>& exchanges);

/// The statements alone, for a person who reads them. The last command has a comment
/// at the value that differs: `s.get_scale()  # 2.0, got 4.0`. Throws NoForm as well.
std::string brief(const Contract& contract, const std::vector<std::pair<Command, Reply>>& exchanges,
                  const Reply& got, const Difference& difference);

}  // namespace assay::python
