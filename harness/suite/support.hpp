// What a built-in subject may answer `unsupported`, and why; anything else is a failure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// `cases` of `suites/support/<subject>.toml`: globs on case ids, each with its reason.
struct SupportEntry {
  std::string cases;
  std::string reason;
};

/// Throws std::runtime_error with the place when the text is not such a file.
std::vector<SupportEntry> support_from_toml(std::string_view text, std::string_view name);

/// Decides which `unsupported` answers are excused.
class SupportPolicy {
 public:
  /// A foreign subject: everything is excused, except in the areas that are required.
  static SupportPolicy foreign(std::vector<std::string> required_areas);
  /// A built-in subject: only what is listed.
  static SupportPolicy built_in(std::vector<SupportEntry> listed);

  /// The excuse, or nothing when there is none.
  std::optional<std::string> excuse(const std::string& case_id) const;

 private:
  bool foreign_ = true;
  std::vector<std::string> required_;
  std::vector<SupportEntry> listed_;
};

}  // namespace assay
