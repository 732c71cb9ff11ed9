// Transcripts: programs with a subject's replies, as JSON lines: a header, then one line per case;
// a link that replies from one, without the subject; and users' own files of them, whose replies
// are expected.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/message.hpp"
#include "harness/subject/link/link.hpp"

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

// Playback.

/// The case sends a different command than when it was recorded.
class RecordingMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Playback final : public Link {
 public:
  /// `hello` is the subject's reply to hello. Transcripts contain neither that nor `reset`; both
  /// have id 0.
  Playback(const std::vector<std::pair<Command, Reply>>& exchanges, Reply hello)
      : exchanges_(exchanges), hello_(std::move(hello)) {}

  /// Throws Stale unless `command` is the next one of the transcript.
  Reply exchange(const Command& command) override;
  void restart() override { next_ = 0; }

  /// Why the transcript no longer matches the case; empty if it does. Call at the end of the case,
  /// because recorded commands that were not sent make the transcript stale too.
  std::string stale() const;

 private:
  const std::vector<std::pair<Command, Reply>>& exchanges_;
  Reply hello_;
  std::size_t next_ = 0;
  std::string stale_;
};

// Users' own programs.

/// One line of such a file. Parts of the contract that are left open match any value.
struct OwnProgram {
  std::string case_id;
  std::vector<std::string> clauses;
  std::optional<Release> release;
  std::optional<DeviceRules> device_rules;
  std::optional<Deviations> deviations;
  std::vector<std::pair<Command, Reply>> exchanges;
  std::size_t line = 0;
};

/// Reads JSON lines: a header with `"transcript": 1`, then one program per line. Throws
/// MalformedMessage with the line number and the reason; commands and replies must follow the
/// protocol's schema.
std::vector<OwnProgram> own_programs_from_lines(std::string_view text);

}  // namespace assay
