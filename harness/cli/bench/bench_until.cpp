// Computes the looks of a bench, and the comparison at each look.
#include "harness/cli/bench/bench_until.hpp"

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/compare.hpp"

namespace assay::cli {

std::vector<int> looks_up_to(int most) {
  constexpr int kFirst = 12;
  std::vector<int> looks;
  for (int look = kFirst; look < most; look *= 2) looks.push_back(look);
  looks.push_back(most);
  return looks;
}

std::string key_to_decide(const bench::ContenderOptions& options) {
  return options.against.empty() ? "subject" : "build";
}

bool is_decided(const report::BenchRecord& record, const std::string& key, double margin) {
  const std::vector<compare::Column> columns = compare::columns_by(key, record, "");
  if (columns.size() < 2) return true;
  compare::Options options;
  options.margin = margin;
  return compare::compare(columns, options).count(compare::Verdict::kUndecided) == 0;
}

}  // namespace assay::cli
