// Output options shared by `assay compare` and `assay gate`.
#pragma once

#include <string>

#include "harness/cli/command_line/command_line.hpp"
#include "harness/compare/render/render.hpp"

namespace assay::cli {

/// File names; an empty name writes no file.
struct CompareOutput {
  std::string json, markdown, csv;
};

void add_outputs(CliCommand& command, CompareOutput& output);

/// Adds an option that takes `2%` or `0.02`.
void add_share(CliCommand& command, const std::string& name, double& target,
               const std::string& help);

/// Prints the text and the last line, and writes the files. Throws CannotWrite.
void show(const compare::Comparison& comparison, const compare::Outcome& outcome,
          const CompareOutput& output);

}  // namespace assay::cli
