// Reads the record of a run.
#include "harness/cli/read_record.hpp"

#include <fmt/format.h>

#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"

namespace assay::cli {

report::RunRecord read_run(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return report::run_from_json(text);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{} is not the record of a run:\n  {}", path, error.what()));
  }
}

}  // namespace assay::cli
