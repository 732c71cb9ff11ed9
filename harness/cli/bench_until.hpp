// When a bench has decided what it was to decide.
#pragma once

#include <string>
#include <vector>

#include "harness/bench/contenders.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::cli {

/// 12, 24, 48, ... processes, and `most`.
std::vector<int> looks_up_to(int most);

/// What `assay bench --until-decided` compares: builds where there are two, else subjects.
std::string key_to_decide(const bench::ContenderWishes& wishes);

/// Every pair of the record has a verdict, as `assay compare --col KEY --margin MARGIN` gives them.
bool is_decided(const report::BenchRecord& record, const std::string& key, double margin);

}  // namespace assay::cli
