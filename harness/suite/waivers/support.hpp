// What a subject may leave unsupported, and why; other unsupported replies make the run incomplete
// or fail it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/runner/hello.hpp"
#include "harness/suite/runner/outcome.hpp"

namespace assay {

/// One [[unsupported]] of a support file (suites/support/README.md).
struct SupportEntry {
  std::string cases{};  ///< glob on case ids
  /// Glob on the command at which the case stops, or on the field that it lacks.
  std::string command = "*";
  std::string device = "*";         ///< `cpu` or `cuda`: device rules of the case
  std::vector<Release> releases{};  ///< empty: all
  std::string reason{};
  std::string place{};     ///< `mine.toml:3`
  std::string says = "*";  ///< glob on the words with which the subject refuses
  bool may_idle = false;   ///< excusing nothing is no finding
};

/// Throws std::runtime_error with the position if the text is not a valid file.
std::vector<SupportEntry> support_from_toml(std::string_view text, std::string_view name);

/// Decides which `unsupported` replies are excused, and which are failures.
class SupportPolicy {
 public:
  /// Replies named neither by `hello` nor by `listed` make the run incomplete; in required areas
  /// everything must be answered.
  static SupportPolicy foreign(std::vector<std::string> required_areas,
                               std::vector<SupportEntry> listed = {});
  /// For built-in subjects: replies that are not listed are failures.
  static SupportPolicy built_in(std::vector<std::string> required_areas,
                                std::vector<SupportEntry> listed);

  const std::vector<SupportEntry>& listed() const { return listed_; }

  /// True if the cases of an area run although `hello` does not claim it: they must be answered.
  bool asks_of(const std::string& unclaimed_area) const;

  /// Sets `lacks`, `excused`, `required` and `excuse` of an `unsupported`. Results that are already
  /// excused stay so, except in required areas.
  void judge(CaseResult& result, const Hello& hello) const;

  /// Entries that excuse nothing, one sentence each; `results` must be those of a whole run.
  /// Entries whose cases did not run, or are of an area that the subject does not claim, are not
  /// reported, unless no such cases exist.
  std::vector<std::string> findings(const std::vector<CaseResult>& results,
                                    const Hello& hello) const;

 private:
  std::string excuse_for(const CaseResult& result, const Hello& hello) const;

  bool is_foreign_ = true;
  std::vector<std::string> required_;
  std::vector<SupportEntry> listed_;
};

}  // namespace assay
