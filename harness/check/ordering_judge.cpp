// Decides whether one outcome of a program, which may be long, is permitted.
#include <algorithm>

#include "harness/check/ordering.hpp"
#include "harness/check/ordering_axioms.hpp"

namespace assay::litmus {
namespace {

class Judge {
 public:
  Judge(const NumberedProgram& program, const CallOrder& calls, const Outcome& seen)
      : program_(program),
        calls_(calls),
        fixed_(program, calls),
        points_(fixed_.points()),
        order_(points_.count()),
        answers_(program.items.size()) {
    fixed_.one_after_another();
    order_ = fixed_.order();
    std::size_t next = 0;
    for (std::size_t item = 0; item < program.items.size(); ++item) {
      if (program.items[item].operation->observes()) answers_[item] = seen.at(next++);
    }
  }

  std::optional<std::string> complaint() {
    for (std::size_t place = 0; place < calls_.size(); ++place) {
      if (auto wrong = query(place)) return wrong;
    }
    for (std::size_t read = 0; read < program_.reads.size(); ++read) {
      if (auto wrong = load(read)) return wrong;
    }
    return std::nullopt;
  }

 private:
  std::string name(std::size_t item) const {
    return to_text(*program_.items[item].operation) + ", operation " + std::to_string(item + 1) +
           ",";
  }

  /// ORD-A7. Each answer adds its edge, so that answers must also be consistent with each other.
  std::optional<std::string> query(std::size_t place) {
    const std::size_t here = calls_[place];
    const Verb verb = program_.items[here].operation->verb;
    if (verb != Verb::kQueryEvent && verb != Verb::kQueryStream) return std::nullopt;
    const bool answer = answers_[here] != 0;
    const auto asked = fixed_.captured(place);
    if (!asked) {
      if (answer) return std::nullopt;
      return name(here) + " answered false, although no work had to complete";
    }
    const std::size_t done = points_.done(*asked);
    const std::size_t call = points_.call(here);
    if (answer ? order_.add(done, call) : order_.add(call, done)) return std::nullopt;
    return name(here) + " answered " + (answer ? "true, although " : "false, although ") +
           name(*asked) + (answer ? " can complete only later" : " had completed before");
  }

  bool before(const Access& first, const Access& second) const {
    return order_.before(points_.of(first), points_.of(second));
  }

  /// True if another store to the location lies between the two, or between the initial value and
  /// the load.
  bool hidden(const Access* write, const Access& read) const {
    return std::ranges::any_of(program_.writes, [&](const Access& other) {
      if (other.location != read.location || &other == write) return false;
      return before(other, read) && (write == nullptr || before(*write, other));
    });
  }

  /// All values that the load can have read (ORD-A9).
  std::set<std::int64_t> readable(const Access& read, std::size_t copies = 0) const {
    std::set<std::int64_t> values;
    if (!hidden(nullptr, read)) values.insert(program_.initial[read.location]);
    for (const Access& write : program_.writes) {
      if (write.location != read.location || before(read, write) || hidden(&write, read)) continue;
      values.merge(written(write, copies));
    }
    return values;
  }

  /// A copy writes the value that it has read. Racing copies may appear to feed each other; the
  /// depth is limited by the number of copies.
  std::set<std::int64_t> written(const Access& write, std::size_t copies) const {
    if (copies > program_.reads.size()) return {};
    for (const Access& copied : program_.reads) {
      if (copied.item == write.item) return readable(copied, copies + 1);
    }
    return {program_.items[write.item].operation->value};
  }

  std::optional<std::string> load(std::size_t read) const {
    const Access& access = program_.reads[read];
    if (!program_.items[access.item].operation->observes()) return std::nullopt;
    const std::set<std::int64_t> values = readable(access);
    if (values.contains(answers_[access.item])) return std::nullopt;
    std::string list;
    for (const std::int64_t value : values)
      list += (list.empty() ? "" : " or ") + std::to_string(value);
    return name(access.item) + " read " + std::to_string(answers_[access.item]) +
           ", but may only read " + list;
  }

  const NumberedProgram& program_;
  const CallOrder& calls_;
  FixedOrder fixed_;
  const Points points_;
  HappensBefore order_;
  std::vector<std::int64_t> answers_;  ///< indexed by item
};

}  // namespace

std::optional<std::string> judge(const Program& program, const CallOrder& calls,
                                 const Outcome& seen) {
  if (seen.size() != program.observations()) {
    return "it produced " + std::to_string(seen.size()) + " values, not " +
           std::to_string(program.observations());
  }
  const NumberedProgram numbered(program);
  return Judge(numbered, calls, seen).complaint();
}

}  // namespace assay::litmus
