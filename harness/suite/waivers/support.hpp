// What a subject may answer `unsupported`, and why; what else it does so makes the run incomplete,
// or fails it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// An [[unsupported]] of a support file (suites/support/README.md).
struct SupportEntry {
  std::string cases{};              ///< glob on case ids
  std::string command = "*";        ///< glob on the command at which the case stops
  std::string device = "*";         ///< `cpu` or `cuda`: whose rules the case runs under
  std::vector<Release> releases{};  ///< none means all
  std::string reason{};
  std::string place{};  ///< `mine.toml:3`
};

/// Throws std::runtime_error with the place when the text is not such a file.
std::vector<SupportEntry> support_from_toml(std::string_view text, std::string_view name);

/// Decides which `unsupported` answers are excused, and which must not be.
class SupportPolicy {
 public:
  /// What neither `hello` nor `listed` names makes the run incomplete; in the required areas
  /// everything must be answered.
  static SupportPolicy foreign(std::vector<std::string> required_areas,
                               std::vector<SupportEntry> listed = {});
  /// A built-in subject: what is not listed is a failure.
  static SupportPolicy built_in(std::vector<std::string> required_areas,
                                std::vector<SupportEntry> listed);

  /// Settles `lacks`, `excused`, `required` and `excuse` of an `unsupported`. One that is excused
  /// already stays so, but in a required area.
  void judge(CaseResult& result, const Hello& hello) const;

  /// Entries that excuse nothing, a sentence each; `results` are those of a whole run. Of an entry
  /// whose cases did not run nothing can be said, unless there are no such cases.
  std::vector<std::string> findings(const std::vector<CaseResult>& results) const;

 private:
  std::string excuse_for(const CaseResult& result, const Hello& hello) const;

  bool is_foreign_ = true;
  std::vector<std::string> required_;
  std::vector<SupportEntry> listed_;
};

}  // namespace assay
