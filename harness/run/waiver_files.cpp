// Reads support and waiver files, and suggests a waiver file for a run.
#include "harness/run/waiver_files.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/diagnosis/symptom.hpp"
#include "harness/text/neutral.hpp"

namespace assay {
namespace {

/// A TOML string, quoted and escaped.
std::string quoted(const std::string& text) {
  std::ostringstream stream;
  stream << toml::toml_formatter(toml::value<std::string>(text),
                                 toml::toml_formatter::default_flags &
                                     ~toml::format_flags::allow_literal_strings &
                                     ~toml::format_flags::allow_multi_line_strings);
  return stream.str();
}

std::string list_of(const std::set<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + quoted(text);
  return "[" + list + "]";
}

/// What one waiver covers: a case of a subject that fails in one way under some rules.
struct Key {
  std::size_t cause;  ///< its number; that of the last if there is none
  std::string subject, id, device, sentence, expected, got;
  auto operator<=>(const Key&) const = default;
};

std::size_t cause_of(const report::SubjectRecord& subject, const report::CaseRecord& test) {
  const auto explains = [&](const report::CauseRecord& cause) {
    return std::ranges::count(cause.cases, test.id) > 0;
  };
  return static_cast<std::size_t>(std::ranges::find_if(subject.causes, explains) -
                                  subject.causes.begin());
}

/// As it calls itself, since what was typed may contain a path; as typed if another calls itself
/// the same, or if the name looks like a glob.
std::string name_of(const report::SubjectRecord& subject, const report::RunRecord& run) {
  const auto same = std::ranges::count(run.subjects, subject.name, &report::SubjectRecord::name);
  const bool is_plain = same == 1 && !subject.name.empty() &&
                        subject.name.find_first_of("*?[\\") == std::string::npos;
  return is_plain ? subject.name : subject.subject;
}

Key key_of(const report::SubjectRecord& subject, const std::string& name,
           const report::CaseRecord& test) {
  const std::size_t first = test.contract.find('/');
  const std::size_t last = test.contract.rfind('/');
  return {cause_of(subject, test),
          name,
          test.id,
          test.contract.substr(first + 1, last - first - 1),
          test.sentence,
          test.expected,
          test.got};
}

std::string signature_of(const Key& key) {
  constexpr std::size_t kMost = 200;
  std::string list = quoted(own_words(key.sentence));
  for (const std::string& value : {key.expected, key.got}) {
    if (!value.empty() && value.size() <= kMost) list += ", " + quoted(value);
  }
  return list;
}

std::string entry(const Key& key, const std::set<std::string>& releases, const WaiverTexts& texts) {
  return fmt::format(
      "\n[[waiver]]\ncases = {}\nsubject = {}\ndevice = {}\nreleases = {}\n"
      "reason = {}\nlink = {}\nowner = {}\nexpires = {}\nsignature = [{}]\n",
      quoted(key.id), quoted(key.subject), quoted(key.device), list_of(releases),
      quoted(texts.reason), quoted(texts.link), quoted(texts.owner), to_text(texts.expires),
      signature_of(key));
}

using Found = std::map<Key, std::set<std::string>>;

Found failures_in(const report::SubjectRecord& subject, const std::string& name) {
  Found found;
  for (const report::CaseRecord& test : subject.cases) {
    const bool harness = test.outcome == "internal" || test.sentence.empty();
    if (!report::spoils(test) || harness) continue;
    found[key_of(subject, name, test)].insert(test.contract.substr(0, test.contract.find('/')));
  }
  return found;
}

std::string entries(const report::SubjectRecord& subject, const std::string& name,
                    const WaiverTexts& texts) {
  std::string text;
  std::optional<std::size_t> current;
  for (const auto& [key, releases] : failures_in(subject, name)) {
    if (std::exchange(current, key.cause) != key.cause && key.cause < subject.causes.size()) {
      text += fmt::format("\n# It fails as if: {}\n",
                          one_line(report::in_words(subject.causes[key.cause])));
    }
    text += entry(key, releases, texts);
  }
  return text;
}

/// The entries of all files.
template <typename Parser>
auto entries_of(const std::vector<std::string>& paths, Parser parsed) {
  decltype(parsed("", "")) all;
  for (const std::string& path : paths) {
    const std::string text = read_file(path);
    try {
      for (auto& entry : parsed(text, path)) all.push_back(std::move(entry));
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
  }
  return all;
}

}  // namespace

std::vector<SupportEntry> read_support(const std::vector<std::string>& paths) {
  return entries_of(paths, support_from_toml);
}

std::vector<Waiver> read_waivers(const std::vector<std::string>& paths) {
  std::vector<Waiver> all = entries_of(paths, waivers_from_toml);
  std::string refusals;
  for (const Waiver& waiver : all) {
    const std::string why = refusal_of(waiver);
    if (why.empty()) continue;
    refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "\n", waiver.place, why);
  }
  if (!refusals.empty()) throw UsageError(refusals);
  return all;
}

std::string suggested_waivers(const report::RunRecord& run, const WaiverTexts& texts) {
  std::string text =
      fmt::format("# Known differences, suggested from the run of {}.\n", run.started);
  for (const report::SubjectRecord& subject : run.subjects) {
    text += entries(subject, name_of(subject, run), texts);
  }
  return text;
}

}  // namespace assay
