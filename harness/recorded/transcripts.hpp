// Transcripts by name: those of real PyTorch that are compiled into the program, and files.
#pragma once

#include <string>
#include <vector>

#include "harness/program/transcript.hpp"

namespace assay {

/// What one PyTorch said on one device: a folder of transcripts, one an area.
struct RecordingSet {
  std::string name;                ///< `2.11.0-cpu`, or the folder as typed
  std::vector<std::string> files;  ///< names for `read_transcript`
};

/// Those in the program, by version and device.
std::vector<RecordingSet> recordings_in_program();

/// Of those in the program the newest version of each kind of device.
std::vector<RecordingSet> newest_recordings();

/// `newest`, `all`, the name of one in the program, or a folder with transcripts. Throws UsageError
/// with what there is.
std::vector<RecordingSet> recordings_named(const std::string& text);

/// Is it a transcript's name or a file?
bool is_transcript(const std::string& name);

/// `2.11.0-cpu/amp`, of those in the program, or a file. Throws UsageError.
Transcript read_transcript(const std::string& name);

}  // namespace assay
