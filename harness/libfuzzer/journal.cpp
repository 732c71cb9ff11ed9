// Fuzzes journals: they are rejected with a message, or give results of this run, each once, that
// are unchanged when written and read again.
#include "harness/suite/journal/journal.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <set>

#include "harness/libfuzzer/fuzzed.hpp"

namespace {

using namespace assay;

const std::vector<Task>& tasks() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> made(2);
    made[0].id = "amp/a";
    made[1].id = "amp/b";
    return made;
  }();
  static const std::vector<Task> made{{&cases[0], Contract{}}, {&cases[1], Contract{}}};
  return made;
}

/// Adds the checksum, which the fuzzer could not guess: `{…}` becomes `{…,"crc":"01234567"}`.
std::string sealed(std::string_view line) {
  if (!line.ends_with('}')) return std::string(line);
  std::string text(line.substr(0, line.size() - 1));
  const auto* bytes = reinterpret_cast<const Bytef*>(text.data());
  char tail[24];
  const auto sum = static_cast<unsigned>(::crc32_z(0, bytes, text.size()));
  std::snprintf(tail, sizeof tail, ",\"crc\":\"%08x\"}", sum);
  return text + tail;
}

std::string with_sealed_lines(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    made += sealed(text.substr(0, end));
    if (end == std::string_view::npos) break;
    made += '\n';
    text.remove_prefix(end + 1);
  }
  return made;
}

void check_result(const CaseResult& result) {
  const RunKey key{{"subject", "mine"}};
  const std::string line = case_line(1, result);
  JournalParts parts;
  const auto without_break = [](const std::string& text) {
    return std::string_view(text).substr(0, text.size() - 1);
  };
  const std::string head = head_line(1, key);
  read_line(without_break(head), 1, parts);
  read_line(without_break(line), 2, parts);
  CaseResult again = parts.at(1).entries.at(0).result;
  again.test = result.test;
  if (case_line(1, again) != line) found("another when it is read again", line);
}

void check_journal(const std::string& text) {
  const std::string path = "journal." + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
  try {
    Journal journal(path, Journal::Mode::kResume);
    std::set<std::pair<std::string, std::string>> seen;
    for (const CaseResult& result : journal.begin(1, {{"subject", "mine"}}, tasks())) {
      if (!seen.insert({result.test->id, to_text(result.contract)}).second) found("twice", text);
      check_result(result);
    }
  } catch (const JournalRefused& refused) {
    if (std::string_view(refused.what()).find(path) == std::string_view::npos)
      found("it does not say where", refused.what());
  }
  ::unlink(path.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  check_journal(std::string(text));
  check_journal(with_sealed_lines(text));
  return 0;
}
