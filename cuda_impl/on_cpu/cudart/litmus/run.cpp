// Applies calls and completions, and explores depth-first.
#include "cuda_impl/on_cpu/cudart/litmus/run.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace assay::cuda::on_cpu::litmus {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_query(const Step& step) {
  return step.kind == Kind::kQueryEvent || step.kind == Kind::kQueryStream;
}

bool accesses_at_call(const Step& step) {
  return step.kind == Kind::kHostRead || step.kind == Kind::kHostWrite || step.reads_at_call;
}

}  // namespace

Run::Run(const Program& program)
    : program_(program),
      pending_(program.streams.size()),
      events_(program.events),
      signals_(program.signals),
      threads_(program.threads.size()),
      words_(program.words),
      accesses_(program.words.size()),
      observed_(program.observations) {
  machine_->set_strategy(Strategy::kManual, 0);
  for (const StreamOfProgram& stream : program.streams) {
    const bool is_legacy = stream.kind == LineKind::kLegacy;
    lines_.push_back(is_legacy ? machine_->legacy(stream.device)
                               : machine_->add_line(stream.device, stream.kind, 0));
  }
  for (std::size_t i = 0; i < program.gates; ++i) gates_.push_back(std::make_shared<Gate>());
  for (const auto& thread : program.threads) {
    for (const Step& step : thread) {
      for (const int word : {step.source, step.target}) {
        if (word != kNone) accesses_[at(word)] += 1;
      }
    }
  }
}

bool Run::can_call(std::size_t thread) const {
  const Thread& own = threads_[thread];
  if (own.made == program_.threads[thread].size()) return false;
  const Step& step = next_of(thread);
  if (step.kind == Kind::kAwait && !signals_[at(step.signal)]) return false;
  return std::ranges::all_of(own.awaited, is_reached);
}

std::vector<Action> Run::possible() const {
  std::vector<Action> found;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (can_call(i)) found.push_back({true, i});
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (can_go_on(*lines_[i])) found.push_back({false, i});
  }
  return found;
}

std::optional<Action> Run::certain() const {
  for (const Action action : possible()) {
    const bool is_certain =
        action.is_call ? is_certain_call(action.index) : is_certain_completion(action.index);
    if (is_certain) return action;
  }
  return std::nullopt;
}

template <typename Predicate>
bool Run::any_call_to_come(std::size_t except, const Predicate& predicate) const {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const std::vector<Step>& steps = program_.threads[i];
    const auto next = steps.begin() + static_cast<std::ptrdiff_t>(threads_[i].made);
    if (i != except && std::any_of(next, steps.end(), predicate)) return true;
  }
  return false;
}

/// Do both calls refer to the same event or stream, or to streams that the legacy stream orders?
bool Run::may_meet(const Step& one, const Step& other) const {
  if (one.event != kNone && one.event == other.event) return true;
  if (one.kind == Kind::kSyncDevice || other.kind == Kind::kSyncDevice) {
    return device_of(one) == device_of(other);
  }
  if (one.stream == kNone || other.stream == kNone) return false;
  const auto is_ordered = [&](const Step& step) {
    return program_.streams[at(step.stream)].kind != LineKind::kNonBlocking;
  };
  return one.stream == other.stream ||
         (device_of(one) == device_of(other) && is_ordered(one) && is_ordered(other));
}

int Run::device_of(const Step& step) const {
  return step.stream == kNone ? step.device : program_.streams[at(step.stream)].device;
}

/// Will other steps access a word that this one accesses?
bool Run::shares_words(const Step& step) const {
  return std::ranges::any_of(std::array{step.source, step.target},
                             [&](int word) { return word != kNone && accesses_[at(word)] > 1; });
}

/// Other calls only submit or wait, which does not depend on what has completed.
bool Run::is_certain_call(std::size_t thread) const {
  const Step& step = next_of(thread);
  if (is_query(step) || (accesses_at_call(step) && shares_words(step))) return false;
  return !any_call_to_come(thread, [&](const Step& other) { return may_meet(step, other); });
}

/// True if no later query asks whether it is complete, and no other step accesses its words.
bool Run::is_certain_completion(std::size_t stream) const {
  const Step& step = *pending_[stream].front();
  if (shares_words(step)) return false;
  return !any_call_to_come(threads_.size(), [&](const Step& other) {
    if (other.kind == Kind::kQueryStream) return at(other.stream) == stream;
    return other.kind == Kind::kQueryEvent && step.kind == Kind::kRecord &&
           other.event == step.event;
  });
}

void Run::take(Action action) {
  if (action.is_call) return call(action.index);
  machine_->step(lines_[action.index], 1);
  pending_[action.index].pop_front();
}

void Run::call(std::size_t thread) {
  const Step& step = next_of(thread);
  Thread& own = threads_[thread];
  own.made += 1;
  own.awaited = awaited_by(step);
  switch (step.kind) {
    case Kind::kDeviceWork: {
      const Point end = submit(step);
      if (step.host_waits) own.awaited = {end};
      return;
    }
    case Kind::kRecord:
      events_[at(step.event)] = submit(step);
      return;
    case Kind::kStreamWait:
      submit(step);
      return;
    case Kind::kOpen:
      return machine_->open(*gates_[at(step.gate)]);
    case Kind::kSignal:
      signals_[at(step.signal)] = true;
      return;
    case Kind::kQueryEvent:
    case Kind::kQueryStream:
      observed_[step.observation] = answer(step) ? 1 : 0;
      return;
    case Kind::kHostWrite:
    case Kind::kHostRead:
      return access(step, 0);
    case Kind::kSyncEvent:
    case Kind::kSyncStream:
    case Kind::kSyncDevice:
    case Kind::kAwait:
      return;
  }
}

Point Run::submit(const Step& step) {
  Operation work;
  if (step.kind == Kind::kStreamWait) work.after.push_back(events_[at(step.event)]);
  if (step.gate != kNone) work.gate = gates_[at(step.gate)];
  const std::int64_t staged = step.reads_at_call ? words_[at(step.source)] : 0;
  work.run = [this, &step, staged] { access(step, staged); };
  pending_[at(step.stream)].push_back(&step);
  return machine_->submit(lines_[at(step.stream)], std::move(work));
}

void Run::access(const Step& step, std::int64_t staged) {
  std::int64_t value = step.value;
  if (step.source != kNone) value = step.reads_at_call ? staged : words_[at(step.source)];
  if (step.target != kNone) words_[at(step.target)] = value;
  if (step.is_observed) observed_[step.observation] = value;
  for (const int word : {step.source, step.target}) {
    if (word != kNone) accesses_[at(word)] -= 1;
  }
}

bool Run::answer(const Step& step) const {
  return step.kind == Kind::kQueryEvent ? is_reached(events_[at(step.event)])
                                        : lines_[at(step.stream)]->is_idle();
}

std::vector<Point> Run::awaited_by(const Step& step) const {
  if (step.kind == Kind::kSyncEvent) return {events_[at(step.event)]};
  if (step.kind == Kind::kSyncStream) return {end_of(lines_[at(step.stream)])};
  if (step.kind == Kind::kSyncDevice) return machine_->ends_of_device(step.device);
  return {};
}

bool Run::is_over() const {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].made != program_.threads[i].size()) return false;
    if (!std::ranges::all_of(threads_[i].awaited, is_reached)) return false;
  }
  return machine_->pending() == 0;
}

std::string Run::state() const {
  std::string text;
  const auto add = [&](auto number) { text += std::to_string(number) + ' '; };
  const auto add_points = [&](const std::vector<Point>& points) {
    for (const Point& point : points) {
      if (is_reached(point)) continue;
      add(point.line->number);
      add(point.count);
    }
    text += '/';
  };
  for (const Thread& thread : threads_) {
    add(thread.made);
    add_points(thread.awaited);
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    add(lines_[i]->done);
    for (std::size_t k = 0; k < pending_[i].size(); ++k) {
      add(pending_[i][k]->number);
      add_points(lines_[i]->waiting[k].after);
    }
    text += ';';
  }
  for (const Point& event : events_) add_points({event});
  for (const auto& gate : gates_) add(gate->is_open ? 1 : 0);
  for (const bool is_given : signals_) add(is_given ? 1 : 0);
  for (const std::int64_t word : words_) add(word);
  for (const std::int64_t seen : observed_) add(seen);
  return text;
}

// A machine cannot be copied, so each alternative begins a run again.

namespace {

class Explorer {
 public:
  explicit Explorer(const Program& program) : program_(program) {}

  Outcomes explore() {
    alternatives_.emplace_back();
    while (!alternatives_.empty()) {
      const Path path = std::move(alternatives_.back());
      alternatives_.pop_back();
      follow(path);
    }
    return std::move(found_);
  }

 private:
  using Path = std::vector<Action>;

  void follow(Path path) {
    Run run(program_);
    for (const Action action : path) run.take(action);
    while (true) {
      while (const std::optional<Action> action = run.certain()) {
        run.take(*action);
        path.push_back(*action);
      }
      if (!known_.insert(run.state()).second) return;
      found_.states += 1;
      const std::vector<Action> possible = run.possible();
      if (possible.empty()) return end(run);
      for (std::size_t i = 1; i < possible.size(); ++i) {
        alternatives_.push_back(path);
        alternatives_.back().push_back(possible[i]);
      }
      run.take(possible[0]);
      path.push_back(possible[0]);
    }
  }

  void end(const Run& run) {
    if (run.is_over()) {
      found_.observed.insert(run.observed());
    } else {
      found_.hangs = true;
    }
  }

  const Program& program_;
  std::vector<Path> alternatives_;
  std::unordered_set<std::string> known_;
  Outcomes found_;
};

}  // namespace

Outcomes explore(const Program& program) { return Explorer(program).explore(); }

}  // namespace assay::cuda::on_cpu::litmus
