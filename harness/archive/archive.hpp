// The archive: an SQLite file with records, and what they say, in tables. Its README has the
// tables.
//
// Every record is added in one transaction under the lock that SQLite takes for writers. So a
// program that is killed leaves a record whole or not at all, and writers wait for each other. The
// journal is SQLite's rollback journal and not its log (WAL): that needs memory that processes
// share, which a file system of several machines does not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/archive/entry.hpp"

namespace assay::archive {

/// Which records; empty members choose all. All that are given must apply.
struct Choice {
  std::string hash = {};     ///< its beginning
  std::string kind = {};     ///< `run` or `bench`
  std::string subject = {};  ///< as typed or by its own name
  std::string machine = {};  ///< its label or description
  std::string gpu = {};      ///< its label, its UUID, or the names of the GPUs
  std::string commit = {};   ///< its beginning
  std::string since = {};    ///< `2026-11-21T11:00:00Z`, or its beginning
  std::string before = {};   ///< the same

  bool chooses_all() const;
};

/// A record as `list` shows it.
struct Listed {
  std::string hash, kind, file, started, commit, machine, gpu, subjects, line;
  bool synthetic = false;
  std::int64_t size_bytes = 0;  ///< of its text, compressed
};

/// What may be the reason of a change: what a record says of how, where and of what it was made.
struct Circumstances {
  std::string commit;
  bool dirty = false;
  std::string tool;  ///< version and commit of the harness
  std::string compiler, flags, build_type;
  std::string loops;    ///< how long and how often: what the bench was told
  std::string via;      ///< the language of the loops
  std::string machine;  ///< label or description, with the GPUs' names
  std::string cpu, kernel, driver;
  std::string settings;  ///< governor, SMT, address space randomization, ECC, MIG, largest clocks
};

/// A measurement of a series.
struct Point {
  std::string hash, started;
  bool synthetic = false;
  Circumstances circumstances;
  double center = 0;
  std::vector<double> medians;         ///< of its processes
  std::optional<double> null_call_ns;  ///< a call through a function pointer, in the same run
  std::optional<double> sm_clock_mhz;
  std::string throttled_by;
};

/// All measurements of one quantity of one case on one subject, under one contract.
struct SeriesName {
  std::int64_t id = 0;
  std::string subject, contract, name, quantity, unit;
  bool higher_is_better = false;
  bool exact = false;
};

/// A measurement without a number.
struct Failed {
  SeriesName series;
  std::string hash, started, commit;
  std::string reason;
};

/// The verdict of a run on a subject.
struct Judged {
  std::string hash, started, subject, contract;
  bool synthetic = false;
  Circumstances circumstances;
  std::string verdict;
  int exit_code = 0;
  std::int64_t cases = 0, passed = 0;
  std::vector<std::string> red;     ///< cases that fail the run
  std::vector<std::string> causes;  ///< in words
};

class Archive {
 public:
  enum class Access { kRead, kAdd, kChange };  ///< kAdd makes the file if there is none

  /// Throws UsageError, with the reason, if the file cannot be opened, is no archive, or is one of
  /// a newer version.
  Archive(const std::string& path, Access access);
  ~Archive();
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  /// False if the archive already has the record; then its labels stay as they are.
  bool add(const Entry& entry);

  /// Of all records: what need not be read again.
  std::set<std::string> hashes();
  /// In order of their start.
  std::vector<Listed> list(const Choice& choice);
  /// Calls `use` with the text of each, in order of their start.
  void each_text(const Choice& choice, const std::function<void(const std::string&)>& use);
  /// Removes the records, and the file's free space if there is much of it. Returns their number.
  std::size_t remove(const Choice& choice);

  std::vector<SeriesName> series();
  /// In order of their start, without copies of subjects, quick, interrupted or failed
  /// measurements.
  std::vector<Point> points(const SeriesName& series);
  /// Those of series that failed, or were not answered; in order of their start.
  std::vector<Failed> failed();
  /// By subject and contract, in order of their start.
  std::vector<Judged> judged();

  /// How SQLite answers each question of this class: a line of EXPLAIN QUERY PLAN each.
  std::vector<std::string> plans();

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

}  // namespace assay::archive
