// The names of statistics.
#include "cuda_impl/memory/statistics.hpp"

namespace assay::cuda::memory {
namespace {

/// Calls `action(name, stat)` for each named value.
template <typename Action>
void for_each_stat(Statistics& statistics, const Action& action) {
  const std::pair<const char*, StatOfPools*> kinds[] = {
      {"allocation", &statistics.allocation},
      {"segment", &statistics.segment},
      {"active", &statistics.active},
      {"inactive_split", &statistics.inactive_split},
      {"allocated_bytes", &statistics.allocated_bytes},
      {"reserved_bytes", &statistics.reserved_bytes},
      {"active_bytes", &statistics.active_bytes},
      {"inactive_split_bytes", &statistics.inactive_split_bytes},
      {"requested_bytes", &statistics.requested_bytes}};
  for (const auto& [name, stats] : kinds) {
    stats->for_each([&, kind = std::string(name)](const char* pool, Stat& stat) {
      action(kind + "." + pool, stat);
    });
  }
  action(std::string("oversize_allocations"), statistics.oversize_allocations);
  action(std::string("oversize_segments"), statistics.oversize_segments);
}

}  // namespace

void Statistics::reset_peak() {
  for_each_stat(*this, [](const std::string&, Stat& stat) { stat.peak = stat.current; });
}

void Statistics::reset_accumulated() {
  for_each_stat(*this, [](const std::string&, Stat& stat) { stat.allocated = stat.freed = 0; });
  num_alloc_retries = num_ooms = num_sync_all_streams = num_device_alloc = num_device_free = 0;
}

std::vector<std::pair<std::string, std::int64_t>> by_name(Statistics statistics,
                                                          std::size_t max_split_bytes,
                                                          Release release) {
  const bool is_old = release == Release::k1_13;
  std::vector<std::pair<std::string, std::int64_t>> named;
  for_each_stat(statistics, [&](const std::string& name, const Stat& stat) {
    if (is_old && name.starts_with("requested_bytes")) return;
    named.emplace_back(name + ".current", stat.current);
    named.emplace_back(name + ".peak", stat.peak);
    named.emplace_back(name + ".allocated", stat.allocated);
    named.emplace_back(name + ".freed", stat.freed);
  });
  named.emplace_back("num_alloc_retries", statistics.num_alloc_retries);
  named.emplace_back("num_ooms", statistics.num_ooms);
  named.emplace_back("max_split_size", static_cast<std::int64_t>(max_split_bytes));  // -1: no limit
  if (is_old) return named;
  named.emplace_back("num_sync_all_streams", statistics.num_sync_all_streams);
  named.emplace_back("num_device_alloc", statistics.num_device_alloc);
  named.emplace_back("num_device_free", statistics.num_device_free);
  return named;
}

}  // namespace assay::cuda::memory
