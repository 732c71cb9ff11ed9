// Records what cases reach, and reads it again.
#include "harness/selftest/reached_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

#include "harness/console/read_file.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/protocol/tree/json_tree.hpp"
#include "harness/selftest/kill.hpp"
#include "harness/suite/runner/runner.hpp"

namespace assay {
namespace {

/// A busy machine takes a few times as long as an idle one.
constexpr int kPatience = 20;

void for_each_line(std::string_view text, const std::function<void(const JsonTree&)>& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) use(tree_from_json(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

const Case* case_named(const std::map<std::string, const Case*>& cases, const std::string& id) {
  const auto found = cases.find(id);
  if (found == cases.end()) throw std::runtime_error(fmt::format("there is no case '{}'", id));
  return found->second;
}

std::vector<std::size_t> take_reached(Link& link) {
  Command command;
  command.id = 0;
  command.verb = kAsksReached;
  const Reply reply = link.exchange(command);
  const Value* numbers = reply.ok.find("result");
  const List* list = numbers == nullptr ? nullptr : numbers->get_if<List>();
  if (list == nullptr)
    throw UsageError(
        "the mutants' program does not say what it reaches; "
        "--program takes one that scripts/power has built");
  std::vector<std::size_t> reached;
  for (const Value& number : list->items) {
    reached.push_back(static_cast<std::size_t>(*number.get_if<std::int64_t>()));
  }
  return reached;
}

class Recording {
 public:
  explicit Recording(const KillOptions& options)
      : options_(options),
        tasks_(plan_of(all_cases(), options.selection, wanted_contracts(options.selection)).tasks) {
  }

  std::string made_by(unsigned jobs) {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < jobs; ++i) workers.emplace_back([this] { work(); });
    workers.clear();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(text_);
  }

 private:
  void work() {
    try {
      ConnectedSubject sound = connect_without_fault(options_.mutants_of, options_.subject);
      RunnerOptions options;
      options.support = sound.support;
      options.timeout = sound.timeout * kPatience;
      Runner runner(*sound.link, options);
      for (std::size_t i = next_++; i < tasks_.size(); i = next_++) {
        if (options_.stop != nullptr && options_.stop->is_set()) return;
        const CaseResult result = runner.run(tasks_[i]);
        keep(result, take_reached(*sound.link));
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      failure_ = std::current_exception();
      next_ = tasks_.size();
    }
  }

  void keep(const CaseResult& result, std::vector<std::size_t> reached) {
    const std::string contract = to_text(result.contract);
    if (result.spoils()) {
      throw std::runtime_error(fmt::format(
          "{} fails under {} on the mutants' program while no fault is enabled: {}",
          result.test->id, contract, result.failure ? result.failure->sentence : "unanswered"));
    }
    if (result.outcome != Outcome::kPass) return;
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(result.duration);
    const JsonTree row = {{"case", result.test->id},
                          {"contract", contract},
                          {"milliseconds", took.count()},
                          {"functions", std::move(reached)}};
    const std::scoped_lock lock(mutex_);
    text_ += row.dump() + "\n";
  }

  const KillOptions& options_;
  std::vector<Task> tasks_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::string text_;
  std::exception_ptr failure_;
};

}  // namespace

ReachedFunctions::ReachedFunctions(std::vector<Row> rows) : rows_(std::move(rows)) {
  std::map<std::string, const Case*> cases;
  for (const Case& test : all_cases()) cases[test.id] = &test;
  std::ranges::stable_sort(rows_, {}, [](const Row& row) {
    const bool is_other = row.contract != to_text(Contract{});
    return std::tuple(is_other, row.milliseconds / 100, row.functions.size());
  });
  for (const Row& row : rows_) {
    const auto contract = contract_from_text(row.contract);
    if (!contract) throw std::runtime_error(fmt::format("'{}' is no contract", row.contract));
    const Task task{case_named(cases, row.test), *contract};
    for (const std::size_t function : row.functions) tasks_[function].push_back(task);
  }
}

ReachedFunctions ReachedFunctions::from_file(const std::filesystem::path& path) {
  std::vector<Row> rows;
  for_each_line(read_file(path), [&](const JsonTree& line) {
    const JsonMembers read(line);
    Row row;
    read("case", row.test);
    read("contract", row.contract);
    read("milliseconds", row.milliseconds);
    read("functions", row.functions);
    rows.push_back(std::move(row));
  });
  return ReachedFunctions(std::move(rows));
}

std::vector<Task> ReachedFunctions::tasks_of(std::size_t function) const {
  const auto found = tasks_.find(function);
  return found == tasks_.end() ? std::vector<Task>{} : found->second;
}

std::string record_reach(const KillOptions& options, unsigned jobs) {
  return Recording(options).made_by(jobs);
}

std::vector<Fault> mutant_rows_from(std::string_view lines) {
  std::vector<Fault> rows;
  for_each_line(lines, [&](const JsonTree& line) {
    const JsonMembers read(line);
    Fault row;
    std::size_t function = 0;
    read("name", row.name);
    read("function", function);
    row.what = "a mechanical change";
    row.function = function;
    rows.push_back(std::move(row));
  });
  return rows;
}

}  // namespace assay
