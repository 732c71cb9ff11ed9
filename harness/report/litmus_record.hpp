// The outcomes of litmus programs on a subject, as a record.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

struct LitmusSeen {
  std::vector<std::int64_t> outcome;
  bool permitted = true;
  std::int64_t times = 0;  ///< 0: permitted but never observed

  bool forbidden() const { return !permitted && times > 0; }
};

struct LitmusEntry {
  std::string id;
  std::string name;
  std::string program;
  std::vector<std::string> observations;  ///< the operations whose results form an outcome
  /// `seen` contains every permitted outcome; false if there are too many.
  bool listed = true;
  bool hangs = false;  ///< the axioms permit it to hang
  std::int64_t runs = 0;
  std::vector<LitmusSeen> seen;
  /// Why it did not run or did not finish; empty otherwise.
  std::string lacking;  ///< what the subject lacks
  std::string broken;   ///< a call did not return, or the subject ended

  bool failed() const;
};

struct LitmusRecord {
  std::string subject;
  std::string contract;
  std::string schedule;  ///< of a simulated machine
  std::vector<LitmusEntry> entries;
  int exit = 0;
  std::string line;  ///< the verdict, as it was printed
};

std::string to_json(const LitmusRecord& record);

/// Parses a record. Throws std::runtime_error, with what was expected, if the text is not valid.
LitmusRecord litmus_from_json(std::string_view text);

}  // namespace assay::report
