// What may follow on an unfinished command line: the words that a shell offers.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/command_line/command_line.hpp"

namespace assay::cli {

struct Candidate {
  std::string word;
  std::string what;  ///< may be empty

  bool operator==(const Candidate&) const = default;
};

/// Names that a value may have. `option` is `assay run --filter`, or `assay explain name` for an
/// argument; `begun` is the value as far as it was typed.
using NamesOf =
    std::function<std::vector<Candidate>(const std::string& option, const std::string& begun)>;

/// Continuations of the last of `words`, which begin after the name of the program. What begins
/// with none of them, such as the name of a file, has no candidates.
std::vector<Candidate> candidates(const CliCommand& root, const std::vector<std::string>& words,
                                  const NamesOf& names_of);

/// The ids up to the first slash after `begun`, each once: `amp/`, and then `amp/unscale/`.
std::vector<Candidate> next_parts(const std::vector<std::string>& ids, std::string_view begun);

}  // namespace assay::cli
