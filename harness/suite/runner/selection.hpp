// Selects the cases of a run, and the contract of each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"

namespace assay {

/// `*` matches any text, including slashes; `?` matches one character. A pattern without either
/// also matches everything below it: `amp/unscale` matches `amp/unscale/raises_the_flag`.
bool glob_matches(const std::string& pattern, const std::string& text);

/// A pattern between slashes is a regular expression (POSIX, extended) that must occur in the text:
/// `/scale_(nan|inf)/`. Returns why it is invalid; empty for valid ones and globs.
std::string complaint_about_pattern(const std::string& pattern);

/// The user's selection.
struct Selection {
  /// Globs or regular expressions on ids and clauses of cases; empty selects all.
  std::vector<std::string> filters;
  std::vector<std::string> excludes;
  bool full = false;
  std::optional<Release> release;
  std::optional<DeviceRules> device_rules;
  std::optional<Deviations> deviations;
  /// Only cases that a training can meet: `--profile training`.
  bool training_only = false;
  /// Run each case under every applicable contract, not only the first.
  bool all_contracts = false;

  bool narrows_cases() const { return !filters.empty() || !excludes.empty() || training_only; }
  bool selects(const Case& test) const;
  /// False for a case that the profile leaves out.
  bool profile_admits(const Case& test) const;
};

/// A case with the contract under which it runs.
struct Task {
  const Case* test = nullptr;
  Contract contract;
};

/// `2.11/cuda/strict`; nothing if the text is not a contract.
std::optional<Contract> contract_from_text(std::string_view text);

/// All selected contracts in order of preference: newest release first, CUDA before CPU, strict
/// before compat.
std::vector<Contract> wanted_contracts(const Selection& selection);

/// Each selected case under the first applicable one of `contracts` that `has` its area (or all of
/// them), ordered by id. `not_applicable` counts the cases without an applicable contract.
struct Plan {
  std::vector<Task> tasks;
  std::size_t not_applicable = 0;
  std::size_t unclaimed = 0;       ///< of areas that are offered under no contract
  std::size_t beyond_profile = 0;  ///< cases, each under as many contracts as it would run under
  /// Areas that the subject offers, but of which it lacks some of these cases: not under the
  /// contract that they need.
  std::set<std::string> narrowed;
};
using HasArea = std::function<bool(const Contract&, const std::string& area)>;
Plan plan_of(
    const std::vector<Case>& cases, const Selection& selection,
    const std::vector<Contract>& contracts,
    const HasArea& has = [](const Contract&, const std::string&) { return true; });

/// One of several parts of a run, counted from 1. The parts are disjoint and together complete, and
/// their sizes differ by at most one.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;
};

/// `2/5`
std::string to_text(const Shard& shard);
/// Nothing if the text is not a shard.
std::optional<Shard> shard_from_text(std::string_view text);

/// Keeps the tasks of the shard. They are assigned round-robin, so that neighbours, which take
/// similar times, are separated.
void keep_shard(std::vector<Task>& tasks, const Shard& shard);

/// The same seed gives the same order on every machine.
void shuffle(std::vector<Task>& tasks, std::uint64_t seed);

}  // namespace assay
