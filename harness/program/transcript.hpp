// Programs with the replies that a subject gave: JSON lines, a header and then one line a case.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// How the transcript was made.
struct TranscriptHeader {
  std::string subject;        ///< as typed
  std::string name, version;  ///< as the subject said to hello
  std::vector<std::string> devices, areas;
  std::string date;
  std::string command;  ///< the line that made it
};

struct TranscriptEntry {
  std::string case_id;
  Contract contract;
  std::string outcome;  ///< of the case when it was recorded
  std::vector<std::pair<Command, Reply>> exchanges;
};

struct Transcript {
  TranscriptHeader header;
  std::vector<TranscriptEntry> entries;
};

/// The same for the same commands, on every machine: 16 hexadecimal digits.
std::string program_hash(const std::vector<std::pair<Command, Reply>>& exchanges);

std::string to_lines(const Transcript& transcript);

/// Throws MalformedMessage with the number of the line, also when an entry's program does not have
/// the hash that it was recorded with.
Transcript transcript_from_lines(std::string_view text);

}  // namespace assay
