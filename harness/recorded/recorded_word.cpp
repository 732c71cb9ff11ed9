// Looks up a case in the recordings.
#include "harness/recorded/recorded_word.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/recorded/recorded_cases.hpp"
#include "harness/recorded/transcripts.hpp"

namespace assay {
namespace {

std::string place_of(const TranscriptHeader& header, const Contract& contract) {
  if (!contract.cuda()) return "the CPU";
  const bool is_simulated = header.subject.find("--simulated") != std::string::npos;
  return is_simulated ? "simulated CUDA devices" : "CUDA";
}

std::string whose_word(const std::string& set, const TranscriptHeader& header,
                       const Contract& contract) {
  return fmt::format("what {} {} did on {} (recording {})",
                     header.name == "torch" ? "PyTorch" : header.name, header.version,
                     place_of(header, contract), set);
}

/// True if the case was answered, whether it passed or failed.
bool has_answers(const TranscriptEntry& entry) {
  return entry.outcome == "pass" || entry.outcome == "fail";
}

std::optional<Word> word_in(const RecordingSet& set, const std::string& case_id,
                            const Contract& contract) {
  const std::string area = case_id.substr(0, case_id.find('/'));
  const std::string file = set.name + "/" + area;
  if (std::ranges::find(set.files, file) == set.files.end()) return std::nullopt;
  const Transcript transcript = read_transcript(file);
  for (const TranscriptEntry& entry : transcript.entries) {
    const bool is_meant =
        entry.case_id == case_id && entry.contract == contract && has_answers(entry);
    if (!is_meant || !is_repeatable(transcript.header, entry)) continue;
    return Word{contract, entry.exchanges, whose_word(set.name, transcript.header, contract)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Word> recorded_word(const std::string& case_id, const Selection& selection) {
  std::vector<Contract> contracts = wanted_contracts(selection);
  std::ranges::stable_sort(contracts, {}, &Contract::cuda);
  const std::vector<RecordingSet> sets = recordings_in_program();
  for (const Contract& contract : contracts) {
    for (const RecordingSet& set : sets) {
      const bool is_of_release = set.name.starts_with(std::string(name_of(contract.release)) + ".");
      if (!is_of_release) continue;
      if (auto word = word_in(set, case_id, contract)) return word;
    }
  }
  return std::nullopt;
}

}  // namespace assay
