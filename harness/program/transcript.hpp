// Transcripts: programs with a subject's replies, as JSON lines: a header, then one line per case.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"

namespace assay {

/// How the transcript was recorded.
struct TranscriptHeader {
  std::string subject;        ///< as typed
  std::string name, version;  ///< from the reply to hello
  std::vector<std::string> devices, areas;
  std::string date;
  std::string command;  ///< the command line of the recording
};

struct TranscriptEntry {
  std::string case_id;
  Contract contract;
  std::string outcome;  ///< the case's outcome when recorded
  std::vector<std::pair<Command, Reply>> exchanges;
};

struct Transcript {
  TranscriptHeader header;
  std::vector<TranscriptEntry> entries;
};

/// Depends only on the commands: 16 hexadecimal digits, the same on every machine.
std::string program_hash(const std::vector<std::pair<Command, Reply>>& exchanges);

std::string to_lines(const Transcript& transcript);

/// Throws MalformedMessage with the line number, also if a program does not match its recorded
/// hash.
Transcript transcript_from_lines(std::string_view text);

}  // namespace assay
