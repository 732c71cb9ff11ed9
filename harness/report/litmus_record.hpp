// What litmus programs showed on a subject, as a record for programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::report {

struct LitmusSeen {
  std::vector<std::int64_t> outcome;
  bool permitted = true;
  std::int64_t times = 0;  ///< 0: permitted, and never seen

  bool forbidden() const { return !permitted && times > 0; }
};

struct LitmusEntry {
  std::string id;
  std::string name;
  std::string program;
  std::vector<std::string> observations;  ///< the operations whose results make an outcome
  /// `seen` has every permitted outcome; false for a program with too many of them.
  bool listed = true;
  bool hangs = false;  ///< the axioms let it wait for ever
  std::int64_t runs = 0;
  std::vector<LitmusSeen> seen;
  /// Why it did not run, or not to its end; empty otherwise.
  std::string lacking;  ///< the subject does not have what it needs
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

/// The record that `text` is. Throws std::runtime_error, with what was expected, when it is none.
LitmusRecord litmus_from_json(std::string_view text);

}  // namespace assay::report
