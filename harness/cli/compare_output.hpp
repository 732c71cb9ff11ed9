// What `assay compare` and `assay gate` have in common: where their findings go.
#pragma once

#include <string>

#include "harness/cli/command_line/command_line.hpp"
#include "harness/compare/render/render.hpp"

namespace assay::cli {

/// Files; none where empty.
struct CompareOutput {
  std::string json, markdown, csv;
};

void add_outputs(CliCommand& command, CompareOutput& output);

/// An option that takes `2%` or `0.02`.
void add_share(CliCommand& command, const std::string& name, double& target,
               const std::string& help);

/// Text and the last line to standard output, the rest into the files. Throws CannotWrite.
void show(const compare::Comparison& comparison, const compare::Outcome& outcome,
          const CompareOutput& output);

}  // namespace assay::cli
