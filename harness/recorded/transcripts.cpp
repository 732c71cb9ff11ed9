// Finds and reads transcripts.
#include "harness/recorded/transcripts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "harness/console/nearest.hpp"
#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/text_file.hpp"
#include "harness/protocol/embedded.hpp"
#include "harness/protocol/json.hpp"

namespace assay {

/// `2.11.0-cpu/amp.jsonl.gz`, …
std::span<const EmbeddedFile> recorded_transcripts();

namespace {

constexpr std::string_view kEnding = ".jsonl.gz";

const EmbeddedFile* find_in_program(const std::string& name) {
  for (const EmbeddedFile& file : recorded_transcripts()) {
    if (file.name == name || file.name == name + std::string(kEnding)) return &file;
  }
  return nullptr;
}

std::vector<int> version_of(const std::string& set) {
  std::vector<int> numbers;
  std::istringstream text(set.substr(0, set.find('-')));
  for (std::string part; std::getline(text, part, '.');) numbers.push_back(std::stoi(part));
  return numbers;
}

/// `cpu` for `2.11.0-cpu`.
std::string kind_of(const std::string& set) { return set.substr(set.find('-') + 1); }

bool ends_like_a_transcript(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(kEnding) || name.ends_with(".jsonl");
}

RecordingSet set_in_folder(const std::string& folder) {
  RecordingSet set{std::filesystem::path(folder).lexically_normal().string(), {}};
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (ends_like_a_transcript(entry.path())) set.files.push_back(entry.path().string());
  }
  if (error) throw UsageError(fmt::format("cannot read {}: {}", folder, error.message()));
  std::ranges::sort(set.files);
  if (set.files.empty()) {
    throw UsageError(fmt::format("the folder {} has no transcripts (.jsonl, .jsonl.gz)", folder));
  }
  // Reads every file now, so that errors in one are reported before anything runs.
  for (const std::string& file : set.files) read_transcript(file);
  return set;
}

std::vector<std::string> names_of(const std::vector<RecordingSet>& sets) {
  std::vector<std::string> names;
  for (const RecordingSet& set : sets) names.push_back(set.name);
  return names;
}

}  // namespace

std::vector<RecordingSet> recordings_in_program() {
  std::map<std::string, RecordingSet> sets;
  for (const EmbeddedFile& file : recorded_transcripts()) {
    const std::string name(file.name.substr(0, file.name.size() - kEnding.size()));
    RecordingSet& set = sets[name.substr(0, name.find('/'))];
    set.name = name.substr(0, name.find('/'));
    set.files.push_back(name);
  }
  std::vector<RecordingSet> all;
  for (auto& [name, set] : sets) all.push_back(std::move(set));
  return all;
}

std::vector<RecordingSet> newest_recordings() {
  std::map<std::string, RecordingSet> newest;
  for (RecordingSet& set : recordings_in_program()) {
    RecordingSet& best = newest[kind_of(set.name)];
    if (best.name.empty() || version_of(best.name) < version_of(set.name)) best = std::move(set);
  }
  std::vector<RecordingSet> sets;
  for (auto& [kind, set] : newest) sets.push_back(std::move(set));
  return sets;
}

std::vector<RecordingSet> recordings_named(const std::string& text) {
  if (text == "newest") return newest_recordings();
  std::vector<RecordingSet> all = recordings_in_program();
  if (text == "all") return all;
  for (RecordingSet& set : all) {
    if (set.name == text) return {std::move(set)};
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(text, ignored)) return {set_in_folder(text)};
  std::vector<std::string> names = names_of(all);
  names.insert(names.begin(), {"newest", "all", "none"});
  throw UsageError(fmt::format("'{}' is not a folder, and no set of transcripts{}\n  sets: {}",
                               text, suggestion(text, names), fmt::join(names, ", ")));
}

bool is_transcript(const std::string& name) {
  std::error_code ignored;
  const auto there = std::filesystem::status(name, ignored);
  const bool is_file = std::filesystem::exists(there) && !std::filesystem::is_directory(there);
  return is_file || find_in_program(name) != nullptr;
}

Transcript read_transcript(const std::string& name) {
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(name, ignored);
  const EmbeddedFile* embedded = is_file ? nullptr : find_in_program(name);
  const std::string bytes = embedded == nullptr ? read_file(name) : std::string(embedded->text);
  try {
    return transcript_from_lines(is_packed(bytes) ? unpacked(bytes) : bytes);
  } catch (const MalformedMessage& error) {
    throw UsageError(fmt::format("{} is not a transcript: {}", name, error.what()));
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("cannot read {}: {}", name, error.what()));
  }
}

}  // namespace assay
