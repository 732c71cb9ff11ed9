// The program `assay`.
#include <fmt/format.h>

#include <exception>

#include "harness/cli/commands.hpp"
#include "harness/cli/errors.hpp"
#include "harness/suite/verdict.hpp"

namespace {

constexpr const char* kExitCodes =
    "Exit codes: 0 the verdict is positive; 1 a conformance failure; 2 wrong usage or\n"
    "configuration; 3 an error of the harness; 5 nothing ran; 130 interrupted.";

int parse_and_run(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 has exit codes of its own, 105 and up.
    return app.exit(error) == 0 ? assay::kExitOk : assay::kExitUsage;
  } catch (const assay::cli::UsageError& error) {
    fmt::print(stderr, "assay: {}\n", error.what());
    return assay::kExitUsage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "assay: internal error: {}\n", error.what());
    return assay::kExitInternal;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Does a mixed-precision runtime behave as PyTorch's does?", "assay");
  app.require_subcommand(1);
  app.footer(kExitCodes);
  app.set_version_flag("--version", "assay " ASSAY_VERSION);
  int exit_code = assay::kExitOk;
  assay::cli::add_run(app, exit_code);
  return parse_and_run(app, argc, argv, exit_code);
}
