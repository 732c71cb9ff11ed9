// Messages about words of a command line.
#pragma once

#include <string>
#include <vector>

namespace assay::cli {

/// Reports words that no option or argument of the command accepts; suggests options by `names`.
std::string about_extras(const std::vector<std::string>& extras,
                         const std::vector<std::string>& names);

/// Rewrites CLI11's `--name: 1 required TEXT:SHARE missing` as `--name needs a value (SHARE)`, and
/// what it says of `--flag=3` as `--flag takes no value`; returns other messages unchanged.
std::string about_value(const std::string& message);

}  // namespace assay::cli
