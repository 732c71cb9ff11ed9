// Reads waiver files, and suggests one for a run.
#include "harness/run/waiver_files.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <map>
#include <set>
#include <sstream>

#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/suite/waivers/blanket.hpp"

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

/// What one waiver covers: a case of a subject that fails with a message under some rules.
struct Key {
  std::string subject, id, device, sentence;
  auto operator<=>(const Key&) const = default;
};

Key key_of(const report::SubjectRecord& subject, const report::CaseRecord& test) {
  const std::size_t first = test.contract.find('/');
  const std::size_t last = test.contract.rfind('/');
  return {subject.subject, test.id, test.contract.substr(first + 1, last - first - 1),
          test.sentence};
}

std::string entry(const Key& key, const std::set<std::string>& releases,
                  std::chrono::year_month_day expires) {
  return fmt::format(
      "\n[[waiver]]\ncases = {}\nsubject = {}\ndevice = {}\nreleases = {}\n"
      "reason = {}\nlink = {}\nowner = {}\nexpires = {}\nsignature = [{}]\n",
      quoted(key.id), quoted(key.subject), quoted(key.device), list_of(releases),
      quoted(kUnwrittenReason), quoted(kUnwrittenLink), quoted(kUnwrittenOwner), to_text(expires),
      quoted(key.sentence));
}

}  // namespace

std::vector<Waiver> read_waivers(const std::vector<std::string>& paths) {
  std::vector<Waiver> all;
  std::string refusals;
  for (const std::string& path : paths) {
    const std::string text = read_file(path);
    try {
      for (Waiver& waiver : waivers_from_toml(text, path)) all.push_back(std::move(waiver));
    } catch (const std::runtime_error& error) {
      throw UsageError(error.what());
    }
  }
  for (const Waiver& waiver : all) {
    const std::string why = refusal_of(waiver);
    if (why.empty()) continue;
    refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "\n", waiver.place, why);
  }
  if (!refusals.empty()) throw UsageError(refusals);
  return all;
}

std::string suggested_waivers(const report::RunRecord& run, std::chrono::year_month_day expires) {
  std::map<Key, std::set<std::string>> found;
  for (const report::SubjectRecord& subject : run.subjects) {
    for (const report::CaseRecord& test : subject.cases) {
      const bool harness = test.outcome == "internal" || test.sentence.empty();
      if (!report::spoils(test) || harness) continue;
      found[key_of(subject, test)].insert(test.contract.substr(0, test.contract.find('/')));
    }
  }
  std::string text =
      fmt::format("# Known differences, suggested from the run of {}.\n", run.started);
  for (const auto& [key, releases] : found) text += entry(key, releases, expires);
  return text;
}

}  // namespace assay
