// Random programs of guards on several threads, with nesting, resets and errors, compared with the
// model after each step.
#include <random>

#include "suites/runtime/model.hpp"
#include "suites/runtime/support.hpp"

namespace assay::suites {
namespace {

/// The resources of a program: device types, number of devices, stream ids.
struct ProgramResources {
  std::vector<std::string> types;
  int devices = 4;
  std::vector<std::int64_t> ids;
};

std::string text_of(const GuardInfo& info) {
  const auto device = [](const std::optional<Device>& d) { return d ? to_text(*d) : "none"; };
  const auto stream = [&](const std::optional<StreamValue>& s) {
    return s ? std::to_string(s->id) + "@" + device(s->device) : "none";
  };
  return device(info.original_device) + " " + device(info.current_device) + " " +
         stream(info.original_stream) + " " + stream(info.current_stream);
}

/// An entered guard, with its model.
struct Live {
  GuardObject guard;
  GuardModel model;
  char kind;  ///< d: device, o: optional device, s: stream, p: optional stream, m: several streams
};

class Trial {
 public:
  Trial(Session& subject, ProgramResources ground, std::uint64_t seed)
      : subject_(subject), ground_(std::move(ground)), random_(seed) {
    for (const std::string& type : ground_.types) {
      for (int i = 0; i < ground_.devices; ++i) {
        for (const std::int64_t id : ground_.ids) {
          const Device device{type, i};
          streams_.emplace(std::pair{to_text(device), id}, subject.runtime().stream(device, id));
        }
      }
    }
  }

  void step() {
    const std::string thread = pick({"main", "a", "b"});
    const ScopedTrace place("step " + std::to_string(++steps_) + " on " + thread);
    std::vector<Live>& live = live_[thread];
    const auto kind = random_() % 10;
    if (kind < 3 && live.size() < 5) {
      enter(thread);
    } else if (kind < 5 && !live.empty()) {
      leave(thread);
    } else if (kind < 7 && !live.empty()) {
      change(thread);
    } else if (kind < 8) {
      raise_in_scope(thread);
    } else {
      disturb(thread);
    }
    for (const char* each : {"main", "a", "b"}) expect_state(each);
  }

  void finish() {
    for (const char* thread : {"main", "a", "b"}) {
      while (!live_[thread].empty()) {
        leave(thread);
        expect_state(thread);
      }
    }
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }
  std::string pick(const std::vector<std::string>& from) { return from[below(from.size())]; }
  Device device(const std::string& type) {
    return {type, static_cast<int>(below(static_cast<std::uint64_t>(ground_.devices)))};
  }
  Device any_device() { return device(pick(ground_.types)); }
  StreamValue any_stream(const std::string& type) {
    return {device(type), ground_.ids[below(ground_.ids.size())]};
  }
  const StreamObject& made(const StreamValue& value) const {
    return streams_.at({to_text(*value.device), value.id});
  }

  std::vector<Reply> run(const std::string& thread, const std::function<void(Session&)>& program) {
    Block block = subject_.block(program);
    return thread == "main" ? subject_.scope({}, std::move(block))
                            : subject_.on(thread, std::move(block));
  }

  /// Writes the command that makes a guard, and updates the model.
  std::optional<Live> draw(
      Currents& now,
      const std::function<GuardObject(const std::function<GuardObject(Session&)>&)>& send) {
    const std::string type = pick(ground_.types);
    switch (below(5)) {
      case 0: {
        const Device target = below(6) == 0 ? Device{type, -1} : device(type);
        return Live{send([&](Session& s) {
                      return s.runtime().device_guard(target, {.is_virtual = true});
                    }),
                    GuardModel::over(now, target), 'd'};
      }
      case 1:
        return Live{send([](Session& s) { return s.runtime().optional_device_guard(); }),
                    GuardModel::empty(), 'o'};
      case 2: {
        const StreamValue target = any_stream(type);
        const auto& stream = made(target);
        return Live{send([&](Session& s) { return s.runtime().stream_guard(stream); }),
                    GuardModel::over(now, target), 's'};
      }
      case 3:
        return Live{send([](Session& s) { return s.runtime().optional_stream_guard(); }),
                    GuardModel::empty(), 'p'};
      default: {
        std::vector<StreamValue> targets;
        std::vector<Value> streams;
        for (auto left = below(4); left > 0; --left) {
          targets.push_back(any_stream(type));
          streams.emplace_back(made(targets.back()));
        }
        return Live{send([&](Session& s) { return s.runtime().multi_stream_guard(streams); }),
                    GuardModel::over(now, targets, is_strict(subject_)), 'm'};
      }
    }
  }

  void enter(const std::string& thread) {
    const auto send = [&](const std::function<GuardObject(Session&)>& make) {
      std::optional<GuardObject> guard;
      run(thread, [&](Session& s) { guard.emplace(make(s)); });
      return *guard;
    };
    live_[thread].push_back(*draw(now_[thread], send));
  }

  void leave(const std::string& thread) {
    Live& last = live_[thread].back();
    run(thread, [&](Session&) { last.guard.leave(); });
    last.model.leave(now_[thread]);
    live_[thread].pop_back();
  }

  /// Sets or resets the innermost guard.
  void change(const std::string& thread) {
    Live& last = live_[thread].back();
    Currents& now = now_[thread];
    const bool is_optional = last.kind == 'o' || last.kind == 'p';
    if (is_optional && below(4) == 0) {
      run(thread, [&](Session&) { last.guard.reset(); });
      last.model.leave(now);
    } else if (last.kind == 'd' || last.kind == 'o') {
      const Device target = any_device();
      run(thread, [&](Session&) { last.guard.reset_device(target); });
      last.model.reset_device(now, target);
    } else if (last.kind == 's' || last.kind == 'p') {
      const GuardInfo info = last.model.info();
      const StreamValue target =
          any_stream(info.current_device ? info.current_device->type : pick(ground_.types));
      const auto& stream = made(target);
      run(thread, [&](Session&) { last.guard.reset_stream(stream); });
      last.model.reset_stream(now, target);
    }
  }

  /// Guards in a scope that ends with an error.
  void raise_in_scope(const std::string& thread) {
    Currents& now = now_[thread];
    std::vector<Live> entered;
    const Block enter = subject_.block([&](Session& s) {
      const auto send = [&](const std::function<GuardObject(Session&)>& make) { return make(s); };
      for (auto left = 1 + below(3); left > 0; --left) entered.push_back(*draw(now, send));
    });
    const Block body = subject_.block([&](Session& s) {
      s.runtime().get_device(ground_.types.front());
      s.send("raise", {{"kind", "value"}, {"message", "on purpose"}});
    });
    expect_error([&] { run(thread, [&](Session& s) { s.scope(enter, body); }); }, ErrorKind::kValue,
                 {"on purpose"});
    for (; !entered.empty(); entered.pop_back()) entered.back().model.leave(now);
  }

  /// A change of state outside of guards.
  void disturb(const std::string& thread) {
    Currents& now = now_[thread];
    if (below(2) == 0) {
      const Device target = any_device();
      run(thread, [&](Session& s) { s.runtime().set_device(target); });
      now.set_device(target);
    } else {
      const StreamValue target = any_stream(pick(ground_.types));
      const auto& stream = made(target);
      run(thread, [&](Session& s) { s.runtime().set_current_stream(stream); });
      now.exchange_stream(target);
    }
  }

  void expect_state(const std::string& thread) {
    const ScopedTrace place("state of " + thread);
    const std::vector<Live>& live = live_[thread];
    const auto replies = run(thread, [&](Session& s) {
      for (const std::string& type : ground_.types) {
        s.runtime().get_device(type);
        for (int i = 0; i < ground_.devices; ++i) s.runtime().current_stream(Device{type, i});
      }
      for (const Live& guard : live) {
        if (guard.kind != 'm') guard.guard.info();
      }
    });
    std::size_t next = 0;
    for (const std::string& type : ground_.types) {
      expect_at(field_as<Device>(replies.at(next++), "result"),
                Device{type, now_[thread].device(type)});
      for (int i = 0; i < ground_.devices; ++i) {
        const Device device{type, i};
        expect_value(stream_from(replies.at(next++)), device, now_[thread].stream(device));
      }
    }
    for (const Live& guard : live) {
      if (guard.kind == 'm') continue;
      expect_equal(text_of(GuardInfo::from(replies.at(next++))), text_of(guard.model.info()));
    }
  }

  Session& subject_;
  ProgramResources ground_;
  std::mt19937_64 random_;
  int steps_ = 0;
  std::map<std::pair<std::string, std::int64_t>, StreamObject> streams_;
  std::map<std::string, Currents> now_;
  std::map<std::string, std::vector<Live>> live_;
};

void run_trial(Session& subject, const ProgramResources& ground, std::uint64_t seed) {
  const ScopedTrace place("seed " + std::to_string(seed));
  Trial trial(subject, ground, seed);
  for (int i = 0; i < 40; ++i) trial.step();
  trial.finish();
}

const std::vector<std::string> kClauses{"GRD-001", "GRD-005", "GRD-008", "GRD-011", "GRD-012",
                                        "GRD-013", "GRD-014", "GRD-015", "GRD-017", "GRD-018",
                                        "GRD-019", "GRD-021", "STR-019", "STR-020"};

}  // namespace

CASES("runtime/random") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    conformance("guards_of_backends_" + std::to_string(seed), kClauses, [seed](Session& subject) {
      subject.runtime().backend("hip", "fake");
      subject.runtime().backend("xpu", "fake");
      run_trial(subject, {.types = {"hip", "xpu"}, .devices = 4, .ids = {0, 1, 2, 3, 9}}, seed);
    });
  }

  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    on_cuda("guards_of_cuda_" + std::to_string(seed), kClauses, [seed](Session& subject) {
      subject.device(1);
      ProgramResources ground{.types = {"cuda"}, .devices = 2, .ids = {0}};
      for (int i = 0; i < 4; ++i) ground.ids.push_back(subject.runtime().pool_stream().id());
      subject.runtime().pool_stream({.device = subject.device(1)});
      run_trial(subject, ground, seed);
    });
  }
}

}  // namespace assay::suites
