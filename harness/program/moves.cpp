// Records what a program has made, and generates random programs: moves in random order, some in
// scopes that raise, some on threads.
#include "harness/program/moves.hpp"

#include <algorithm>
#include <numeric>

namespace assay {

Device Draft::device() {
  if (!contract_.cuda()) return {"cpu", -1};
  if (random_.one_in(40)) return {"cuda", 99};
  if (random_.one_in(4)) return {"cpu", -1};
  return {"cuda", static_cast<int>(random_.between(-1, devices_ - 1))};
}

void Draft::add(Command command) {
  open_->push_back(std::move(command));
  ++size_;
}

void Draft::add(std::string verb, Fields with, std::string as) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  command.as = std::move(as);
  add(std::move(command));
}

std::string Draft::make(std::string verb, Fields with, Known made) {
  made.name = fresh(made.kind.substr(0, 1));
  add(std::move(verb), std::move(with), made.name);
  known_.push_back(made);
  return made.name;
}

const Known* Draft::any(std::string_view kind) {
  std::vector<const Known*> found;
  for (const Known& known : known_) {
    if (known.kind == kind) found.push_back(&known);
  }
  return found.empty() ? nullptr : random_.of(found);
}

std::size_t Draft::count(std::string_view kind) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(known_, [&](const Known& known) { return known.kind == kind; }));
}

bool Draft::knows(std::string_view kind, std::string_view text) const {
  return std::ranges::any_of(
      known_, [&](const Known& known) { return known.kind == kind && known.text == text; });
}

void Draft::forget(const std::string& name) {
  std::erase_if(known_, [&](const Known& known) { return known.name == name; });
}

std::string Draft::fresh(std::string_view prefix) {
  return std::string(prefix) + std::to_string(++names_);
}

Block Draft::block(const std::function<void()>& write, bool local) {
  Block made;
  Block* const outer = std::exchange(open_, &made);
  const std::size_t before = known_.size();
  ++depth_;
  write();
  --depth_;
  open_ = outer;
  if (local && known_.size() > before) known_.resize(before);
  return made;
}

// Programs.

namespace {

/// The maximum nesting of scopes, threads and rounds.
constexpr int kDeepest = 3;

/// True if the reply depends on the size of a GPU's memory, or on its progress.
bool depends_on_gpu(std::string_view verb) {
  return verb == "memory.set_fraction" || verb == "runtime.elapsed" || verb == "runtime.query";
}

class Writer {
 public:
  Writer(const ProgramPlan& plan, Random& random)
      : random_(random), draft_(random, plan.contract, plan.devices, plan.on_gpu) {
    for (const std::string& area : chosen(plan.areas)) {
      for (const Move& move : moves_of(area)) {
        const bool avoided = std::ranges::find(plan.avoid, move.verb) != plan.avoid.end();
        if (!avoided && !(plan.on_gpu && depends_on_gpu(move.verb)))
          (move.guard ? guards_ : moves_).push_back(&move);
      }
    }
    weight_ = std::accumulate(moves_.begin(), moves_.end(), 0,
                              [](int sum, const Move* move) { return sum + move->weight; });
  }

  Block write() {
    if (moves_.empty()) return {};
    const auto wanted = static_cast<std::size_t>(random_.between(14, 44));
    while (draft_.size() < wanted) one();
    return draft_.take();
  }

 private:
  /// One to three areas of the plan. Dispatch is used alone, because its guards affect every other
  /// command; so is memory, because its counters include allocations of other areas.
  std::vector<std::string> chosen(std::vector<std::string> areas) {
    for (const char* const name : {"dispatch", "memory"}) {
      const auto alone = std::ranges::find(areas, name);
      if (alone != areas.end() && random_.below(areas.size()) == 0) return {name};
      if (alone != areas.end() && areas.size() > 1) areas.erase(alone);
    }
    while (areas.size() > 3 || (areas.size() > 1 && random_.one_in(3))) {
      areas.erase(areas.begin() + static_cast<std::ptrdiff_t>(random_.below(areas.size())));
    }
    return areas;
  }

  void one() {
    const std::uint64_t what = draft_.depth() < kDeepest ? random_.below(24) : 24;
    if (what == 0 && draft_.depth() == 0) return on_thread();
    if (what <= 2) return scope();
    move();
  }

  void move() {
    for (int tries = 0; tries < 20; ++tries) {
      auto at = static_cast<int>(random_.below(static_cast<std::uint64_t>(weight_)));
      const auto picked = std::ranges::find_if(
          moves_, [&](const Move* candidate) { return (at -= candidate->weight) < 0; });
      if ((*picked)->write(draft_)) return;
    }
    draft_.add("value", {{"value", 1}});
  }

  void several() {
    for (std::int64_t left = random_.between(1, 7); left > 0; --left) one();
  }

  void scope() {
    Command command;
    command.verb = "scope";
    command.enter = draft_.block([&] { guards(); });
    command.body = draft_.block([&] {
      several();
      if (random_.below(3) > 0) raise();
    });
    draft_.add(std::move(command));
  }

  void guards() {
    if (guards_.empty()) return;
    for (std::int64_t left = random_.between(0, 2); left > 0; --left) {
      random_.of(guards_)->write(draft_);
    }
  }

  void raise() {
    draft_.add("raise",
               {{"kind", random_.of({"error", "value", "type"})}, {"message", "on purpose"}});
  }

  void on_thread() {
    Command command;
    command.verb = "on";
    command.with.set("thread", random_.of({"left", "right"}));
    command.body = draft_.block([&] { several(); });
    draft_.add(std::move(command));
  }

  Random& random_;
  Draft draft_;
  std::vector<const Move*> moves_;
  std::vector<const Move*> guards_;
  int weight_ = 0;
};

bool holds(const Block& block, std::string_view verb) {
  return std::ranges::any_of(block, [&](const Command& command) {
    return command.verb == verb || holds(command.body, verb);
  });
}

}  // namespace

std::span<const Move> moves_of(std::string_view area) {
  if (area == "core") return core_moves();
  if (area == "amp") return amp_moves();
  if (area == "optim") return optim_moves();
  if (area == "scaler") return scaler_moves();
  if (area == "dispatch") return dispatch_moves();
  if (area == "autocast") return autocast_moves();
  if (area == "autograd") return autograd_moves();
  if (area == "module") return module_moves();
  if (area == "memory") return memory_moves();
  if (area == "runtime") return runtime_moves();
  return {};
}

std::vector<std::string> areas_with_moves() {
  return {"core",     "amp",      "optim",  "scaler", "dispatch",
          "autograd", "autocast", "module", "memory", "runtime"};
}

Block write_program(const ProgramPlan& plan, std::uint64_t index) {
  Random random(plan.seed, index);
  return Writer(plan, random).write();
}

std::size_t size_of(const Block& program) {
  std::size_t size = 0;
  for (const Command& command : program) {
    size += 1 + size_of(command.enter) + size_of(command.body) + size_of(command.observe);
    for (const auto& [name, block] : command.threads) size += size_of(block);
  }
  return size;
}

bool raises_in_scope(const Block& program) {
  return std::ranges::any_of(program, [](const Command& command) {
    return (command.verb == "scope" && holds(command.body, "raise")) ||
           raises_in_scope(command.body);
  });
}

}  // namespace assay
