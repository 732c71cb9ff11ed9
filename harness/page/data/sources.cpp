// Detects the kind of a record by its schema, and shortens names throughout the records.
#include "harness/page/data/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "harness/page/markup/parts.hpp"

namespace assay::page {
namespace {

/// The value of `"schema"`; its first occurrence is at the beginning of the record.
std::string schema_in(std::string_view text) {
  constexpr std::string_view kMember = "\"schema\"";
  const auto at = text.find(kMember);
  if (at == std::string_view::npos) return {};
  const auto begin = text.find('"', at + kMember.size());
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin + 1, text.find('"', begin + 1) - begin - 1));
}

}  // namespace

void name_sources(Report& report) {
  const auto file_of = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  for (Source& source : report.sources) {
    const auto has_its_name = [&](const Source& other) {
      return file_of(other.path) == file_of(source.path);
    };
    source.name = std::ranges::count_if(report.sources, has_its_name) > 1 ? source.path
                                                                          : file_of(source.path);
  }
}

Source source_from(std::string path, std::string bytes) {
  Source source{std::move(path), {}, std::move(bytes), {}, {}, {}};
  const std::string schema = schema_in(source.bytes);
  if (schema.starts_with("assay.run/")) {
    source.run = report::run_from_json(source.bytes);
  } else if (schema.starts_with("assay.bench/")) {
    source.bench = report::bench_from_json(source.bytes);
  } else if (schema.starts_with("assay.litmus/")) {
    source.litmus = report::litmus_from_json(source.bytes);
  } else if (schema.empty()) {
    throw std::runtime_error("it has no member \"schema\", which every record has");
  } else {
    throw std::runtime_error(
        fmt::format("its schema is '{}'; known are assay.run/1, assay.bench/1 and assay.litmus/1",
                    visible(cut(schema, 60))));
  }
  return source;
}

namespace {

using Names = std::map<std::string, std::string>;  // full name to short name

/// Keeps the last `parts` of a word if that makes it much shorter.
std::string short_word(std::string_view word, std::size_t parts) {
  constexpr std::size_t kLong = 24;
  if (word.size() <= kLong) return std::string(word);
  std::size_t at = word.size();
  for (std::size_t i = 0; i < parts && at != std::string_view::npos && at > 0; ++i)
    at = word.rfind('/', at - 1);
  constexpr std::string_view kCut = "…";
  if (at == std::string_view::npos || at <= kCut.size()) return std::string(word);
  return std::string(kCut) + std::string(word.substr(at));
}

std::string short_name(std::string_view name, std::size_t parts) {
  std::string text;
  for (;;) {
    const std::size_t end = std::min(name.find(' '), name.size());
    text += short_word(name.substr(0, end), parts);
    if (end == name.size()) return text;
    text += ' ';
    name.remove_prefix(end + 1);
  }
}

/// Unchanged if no number of parts distinguishes them.
Names short_names(const std::set<std::string>& all) {
  constexpr std::size_t kMostParts = 8;
  for (std::size_t parts = 1; parts <= kMostParts; ++parts) {
    Names names;
    std::set<std::string> different;
    for (const std::string& name : all) different.insert(names[name] = short_name(name, parts));
    if (different.size() == all.size()) return names;
  }
  Names names;
  for (const std::string& name : all) names[name] = name;
  return names;
}

void say(std::string& text, const Names& names) {
  if (const auto found = names.find(text); found != names.end()) text = found->second;
}

/// Replaces the names inside the sentence `line`.
void say_within(std::string& line, const Names& names) {
  for (const auto& [name, instead] : names) {
    if (name == instead || name.empty()) continue;
    for (auto at = line.find(name); at != std::string::npos;
         at = line.find(name, at + instead.size()))
      line.replace(at, name.size(), instead);
  }
}

std::set<std::string> names_in(const Source& source) {
  std::set<std::string> names;
  if (source.litmus) names.insert(source.litmus->subject);
  if (source.run) {
    for (const report::SubjectRecord& subject : source.run->subjects) names.insert(subject.subject);
  }
  if (source.bench) {
    for (const report::BenchSubject& subject : source.bench->subjects) names.insert(subject.id);
  }
  return names;
}

void say_in(report::BenchRecord& bench, const Names& names) {
  for (report::BenchSubject& subject : bench.subjects) {
    say(subject.id, names);
    if (subject.copy_of) say(*subject.copy_of, names);
  }
  for (report::BenchMeasurement& measured : bench.measurements) say(measured.subject, names);
}

void say_in(Source& source, const Names& names) {
  if (source.litmus) {
    say(source.litmus->subject, names);
    say_within(source.litmus->line, names);
  }
  if (source.run) {
    for (report::SubjectRecord& subject : source.run->subjects) {
      say(subject.subject, names);
      say_within(subject.line, names);
    }
    say_within(source.run->line, names);
  }
  if (source.bench) say_in(*source.bench, names);
}

}  // namespace

ShortNames shorten_subjects(Report& report) {
  ShortNames shortened;
  for (Source& source : report.sources) {
    const Names names = short_names(names_in(source));
    say_in(source, names);
    for (const auto& [name, instead] : names) {
      if (name != instead) shortened[instead].insert(name);
    }
  }
  return shortened;
}

}  // namespace assay::page
