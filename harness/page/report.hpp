// What a page is made of: files of records, read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report/bench_record.hpp"
#include "harness/report/record.hpp"

namespace assay::page {

/// A file that the user named, and the one record that it holds.
struct Source {
  std::string path;  ///< as typed
  std::string name;  ///< for readers; `to_html` sets it
  std::string bytes;
  std::optional<report::RunRecord> run;
  std::optional<report::BenchRecord> bench;
};

/// Throws std::runtime_error when the bytes are the record of neither a run nor a bench.
Source source_from(std::string path, std::string bytes);

struct Report {
  std::vector<Source> sources;  ///< at least one
};

/// The whole page. Equal reports give equal pages.
std::string to_html(Report report);

}  // namespace assay::page
