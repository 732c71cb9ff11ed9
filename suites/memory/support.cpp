// Helpers for memory cases.
#include "suites/memory/support.hpp"

#include <algorithm>

namespace assay::suites {

void expect_counters(Session& subject, const std::vector<Counter>& counters, Where where) {
  const MemoryStats stats = subject.memory().stats();
  for (const Counter& counter : counters) {
    const std::string name(counter.name);
    const ScopedTrace place(name);
    const std::string key = stats.has(name) ? name : name + ".all.current";
    expect_equal(stats[key], counter.value, where);
  }
}

std::string call_name(const std::string& line) { return line.substr(0, line.find('(')); }

std::vector<std::string> calls(Session& subject, const std::vector<std::string>& kinds) {
  std::vector<std::string> names;
  for (const std::string& line : subject.sim().log()) {
    const std::string name = call_name(line);
    const bool wanted = std::find(kinds.begin(), kinds.end(), name) != kinds.end();
    if (kinds.empty() || wanted) names.push_back(name);
  }
  return names;
}

std::int64_t count_of(const std::vector<std::string>& names, std::string_view kind) {
  return std::count(names.begin(), names.end(), kind);
}

void expect_calls(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where) {
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
  };
  expect_equal(joined(got), joined(wanted), where);
}

void expect_same_place(const BlockInfo& got, const BlockInfo& wanted, Where where) {
  expect_equal(got.address, wanted.address, where);
}

void limit_memory(Session& subject, std::int64_t memory_bytes, double fraction) {
  subject.sim().machine({.memory = memory_bytes});
  subject.memory().set_fraction(fraction);
}

}  // namespace assay::suites
