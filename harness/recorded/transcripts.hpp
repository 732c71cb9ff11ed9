// Transcripts by name: recordings of real PyTorch that are compiled into the program, and files.
#pragma once

#include <string>
#include <vector>

#include "harness/program/transcript.hpp"

namespace assay {

/// The recordings of one PyTorch version on one device: a folder of transcripts, one per area.
struct RecordingSet {
  std::string name;                ///< `2.11.0-cpu`, or the folder as typed
  std::vector<std::string> files;  ///< names for `read_transcript`
};

/// The recordings in the program, ordered by version and device.
std::vector<RecordingSet> recordings_in_program();

/// The newest version in the program for each kind of device.
std::vector<RecordingSet> newest_recordings();

/// `newest`, `all`, a name of a recording in the program, or a folder of transcripts. Throws
/// UsageError with the valid names.
std::vector<RecordingSet> recordings_named(const std::string& text);

/// True for the name of a transcript and for a file.
bool is_transcript(const std::string& name);

/// `2.11.0-cpu/amp` from the program, or a file. Throws UsageError.
Transcript read_transcript(const std::string& name);

}  // namespace assay
