// Decides when `assay bench --until-decided` may end.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/contenders.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::cli {

/// 12, 24, 48, ... processes, up to and including `most`.
std::vector<int> looks_up_to(int most);

/// The key that `assay bench --until-decided` compares by: builds if there are two, else subjects.
std::string key_to_decide(const bench::ContenderOptions& options);

/// True if every pair of the record has a verdict by `assay compare --col KEY --margin MARGIN`.
bool is_decided(const report::BenchRecord& record, const std::string& key, double margin);

}  // namespace assay::cli
