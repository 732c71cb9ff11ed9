// Which cases run, and under which contract each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay {

/// `*` stands for any text, slashes included, `?` for one character. A pattern without either also
/// matches everything below it: `amp/unscale` matches `amp/unscale/raises_the_flag`.
bool glob_matches(const std::string& pattern, const std::string& text);

/// A pattern between slashes is a regular expression (POSIX, extended) that must be found in the
/// text: `/scale_(nan|inf)/`. Says why such a one is none; empty for a good one and for a glob.
std::string complaint_about_pattern(const std::string& pattern);

/// What the user asks for.
struct Selection {
  /// Globs, or regular expressions, on ids and clauses of cases; none means all.
  std::vector<std::string> filters;
  std::vector<std::string> excludes;
  bool full = false;
  std::optional<Release> release;
  std::optional<DeviceRules> device_rules;
  std::optional<Deviations> deviations;
  /// Under every contract that it admits, not just the first.
  bool all_contracts = false;

  bool narrows_cases() const { return !filters.empty() || !excludes.empty(); }
  bool selects(const Case& test) const;
};

/// A case and the contract that it runs under.
struct Task {
  const Case* test = nullptr;
  Contract contract;
};

/// `2.11/cuda/strict`; nothing when the text is not a contract.
std::optional<Contract> contract_from_text(std::string_view text);

/// All contracts that `selection` leaves, the preferred first: newest release, CUDA before CPU,
/// strict before compat.
std::vector<Contract> wanted_contracts(const Selection& selection);

/// Each selected case under the first of `contracts` that it admits and that `has` its area (or
/// under all of them), in the order of ids. Cases that admit none are counted in `not_applicable`.
struct Plan {
  std::vector<Task> tasks;
  std::size_t not_applicable = 0;
};
using HasArea = std::function<bool(const Contract&, const std::string& area)>;
Plan plan_of(
    const std::vector<Case>& cases, const Selection& selection,
    const std::vector<Contract>& contracts,
    const HasArea& has = [](const Contract&, const std::string&) { return true; });

/// One of several parts of a run, counted from 1. The parts are disjoint, together they are the
/// run, and none has two cases more than another.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// `2/5`; nothing when the text is not a shard.
std::optional<Shard> shard_from_text(std::string_view text);

/// Leaves of `tasks` those of the shard. They are dealt like cards, so that neighbours, which take
/// about the same time, part.
void keep_shard(std::vector<Task>& tasks, const Shard& shard);

/// The same order for the same seed, on every machine.
void shuffle(std::vector<Task>& tasks, std::uint64_t seed);

}  // namespace assay
