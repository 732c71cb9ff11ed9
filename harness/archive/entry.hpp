// A record as the archive has it: what is read from its text, and the digest by which records are
// told apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/bench/record.hpp"
#include "harness/report/record.hpp"

namespace assay::archive {

/// 64 hexadecimal digits (FIPS 180-4).
std::string sha256_of(std::string_view text);

/// What the user says of records that they do not know themselves; empty for what they know.
struct Labels {
  std::string commit;   ///< of the subject; otherwise that of the build in the record
  std::string machine;  ///< a name; otherwise the record's description
  std::string gpu;      ///< which of many equal ones; otherwise its UUID, if the record has it
};

/// A record with its text. One of `run` and `bench` is set.
struct Entry {
  std::string hash;    ///< `hash_of(text)`
  std::string file;    ///< where it was read
  std::string text;    ///< without white space between its words
  std::string packed;  ///< the same, compressed with gzip
  Labels labels;
  std::optional<report::RunRecord> run;
  std::optional<report::BenchRecord> bench;
};

/// The JSON texts in a file, one after the other as in NDJSON, each without white space between its
/// words; so a record and its line in an export are the same. `bytes` may be compressed. Throws
/// std::runtime_error if the last text does not end or if they are compressed and damaged.
std::vector<std::string> texts_in(std::string_view bytes);

/// SHA-256 of the text, in which characters are escaped that no terminal and no CI log may get: an
/// export to standard output has them so, and is the same record.
std::string hash_of(std::string_view text);

/// Throws std::runtime_error, with the reason, if the text is not the record of a run or a bench.
/// `hash`: that of the text; empty if it is yet to be computed.
Entry entry_of(std::string text, const std::string& file, const Labels& labels,
               std::string hash = {});

}  // namespace assay::archive
