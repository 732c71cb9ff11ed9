// Scenarios for failure campaigns: each step is one call of the runtime.
#include "harness/suite/clients/amp.hpp"
#include "harness/suite/clients/optim.hpp"
#include "harness/suite/clients/scaler.hpp"
#include "suites/runtime/faults/campaign.hpp"

namespace assay::suites {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

Step pool_stream(const std::string& name, int device) {
  return {"take a stream of the pool", [=](Stage& stage) {
            stage.keep(name, stage.runtime().pool_stream({.device = stage.device(device)}));
          }};
}

Step event(const std::string& name, std::int64_t flags = 2) {
  return {"make an event", [=](Stage& stage) {
            stage.keep(name, stage.runtime().event({.api = "cuda", .flag = Value(flags)}));
          }};
}

Step sending(const std::string& what, const std::string& verb,
             const std::vector<std::pair<std::string, std::string>>& objects) {
  return {what, [=](Stage& stage) {
            Fields with;
            for (const auto& [argument, name] : objects) with.set(argument, stage.at(name));
            stage.subject().send(verb, std::move(with));
          }};
}

Step kernel(const std::string& stream) {
  return sending("launch a kernel", "runtime.kernel", {{"stream", stream}});
}
Step record(const std::string& event, const std::string& stream) {
  return sending("record " + event, "runtime.record", {{"event", event}, {"stream", stream}});
}
Step block(const std::string& event, const std::string& stream) {
  return sending(stream + " waits for " + event, "runtime.block",
                 {{"event", event}, {"stream", stream}});
}
Step query(const std::string& object) {
  return sending("query " + object, "runtime.query", {{"object", object}});
}
Step synchronize(const std::string& object) {
  return sending("synchronize " + object, "runtime.synchronize", {{"object", object}});
}
Step make_current(const std::string& stream) {
  return sending("make " + stream + " current", "runtime.set_current_stream", {{"stream", stream}});
}
Step drop(const std::string& name) {
  return {"drop " + name, [=](Stage& stage) { stage.drop(name); }};
}
Step leave() {
  return {"leave a guard", [](Stage& stage) { stage.leave_guard(); }};
}

Step default_stream(const std::string& name, int device) {
  return {"take the default stream", [=](Stage& stage) {
            stage.keep(name, stage.runtime().default_stream(stage.device(device)));
          }};
}

Scenario streams() {
  return {"streams",
          {default_stream("default", 0),
           pool_stream("one", 0),
           pool_stream("two", 0),
           pool_stream("there", 1),
           make_current("one"),
           make_current("there"),
           kernel("one"),
           query("one"),
           synchronize("two"),
           sending("ask for the priority", "runtime.priority", {{"stream", "one"}}),
           {"synchronize the device", [](Stage& s) { s.runtime().synchronize_device(); }},
           {"synchronize the other device",
            [](Stage& s) { s.runtime().synchronize_device(s.device(1)); }},
           {"set the device", [](Stage& s) { s.runtime().set_device(s.device(1)); }},
           {"set it back", [](Stage& s) { s.runtime().set_device(s.device(0)); }},
           {"put the default stream back",
            [](Stage& s) { s.runtime().set_current_stream(s.runtime().stream(s.device(1), 0)); }},
           make_current("default")}};
}

Scenario events() {
  return {"events",
          {pool_stream("one", 0),
           pool_stream("two", 1),
           event("a"),
           event("b", 0),
           event("c", 0),
           record("a", "one"),
           query("a"),
           block("a", "two"),
           synchronize("a"),
           record("a", "one"),
           record("b", "one"),
           kernel("one"),
           record("c", "one"),
           synchronize("c"),
           {"take the time",
            [](Stage& s) {
              s.subject().send("runtime.elapsed", {{"from", s.at("b")}, {"to", s.at("c")}});
            }},
           sending("record a once", "runtime.record_once", {{"event", "a"}, {"stream", "two"}}),
           drop("a"),
           drop("b"),
           drop("c")}};
}

Scenario generic_events() {
  return {"generic_events",
          {pool_stream("one", 1),
           pool_stream("two", 0),
           {"make an event",
            [](Stage& s) { s.keep("a", s.runtime().event({.api = "generic", .device = "cuda"})); }},
           record("a", "one"),
           block("a", "two"),
           query("a"),
           synchronize("two"),
           record("a", "one"),
           drop("a")}};
}

Scenario guards() {
  return {
      "guards",
      {pool_stream("there", 1),
       pool_stream("here", 0),
       {"enter a device", [](Stage& s) { s.keep_guard(s.runtime().device_guard(s.device(1))); }},
       {"enter a stream", [](Stage& s) { s.keep_guard(s.runtime().stream_guard(s.at("here"))); }},
       {"enter several streams",
        [](Stage& s) {
          s.keep_guard(s.runtime().multi_stream_guard({s.at("there"), s.at("here")}));
        }},
       kernel("there"),
       leave(),
       {"enter a stream of the other device",
        [](Stage& s) { s.keep_guard(s.runtime().stream_guard(s.at("there"))); }},
       kernel("here"),
       leave(),
       leave(),
       leave()}};
}

Step allocate(const std::string& name, std::int64_t size, const std::string& stream) {
  return {"allocate " + name, [=](Stage& stage) {
            stage.keep_block(name, stage.memory().allocate(size, {.stream = stage.at(stream)}));
          }};
}
Step free(const std::string& name) {
  return {"free " + name, [=](Stage& stage) { stage.free_block(name); }};
}
Step record_stream(const std::string& name, const std::string& stream) {
  return sending(stream + " uses " + name, "memory.record_stream",
                 {{"block", name}, {"stream", stream}});
}

Scenario memory() {
  return {"memory",
          {pool_stream("own", 0),
           pool_stream("user", 0),
           allocate("small", 1000, "own"),
           allocate("large", 12 * kMiB, "own"),
           record_stream("large", "user"),
           kernel("user"),
           free("large"),
           allocate("again", 12 * kMiB, "own"),
           free("small"),
           {"empty the cache", [](Stage& s) { s.memory().empty_cache(); }},
           allocate("third", 3 * kMiB, "user"),
           free("again"),
           free("third"),
           {"empty it again", [](Stage& s) { s.memory().empty_cache(); }}}};
}

Scenario short_memory() {
  return {"short_memory",
          {{"set a limit", [](Stage& s) { s.memory().set_fraction(0.00048828125); }},
           pool_stream("own", 0),
           allocate("first", 22 * kMiB, "own"),
           free("first"),
           allocate("second", 30 * kMiB, "own"),  // the first is freed for it
           free("second")}};
}

TensorValue at_device(TensorValue value, const Device& device) {
  value.device = device;
  return value;
}

Step tensor(const std::string& name, const TensorValue& value, int device) {
  return {"make a tensor", [=](Stage& stage) {
            stage.keep(name, stage.subject().core().tensor(at_device(
                                 value, device < 0 ? Device{"cpu", -1} : stage.device(device))));
          }};
}
Step copy(const std::string& to, const std::string& from) {
  return sending("copy " + from + " to " + to, "core.copy_", {{"dst", to}, {"src", from}});
}
Step copy_async(const std::string& to, const std::string& from) {
  return {"copy " + from + " to " + to + " without waiting", [=](Stage& stage) {
            // The reply is not named, because a name would keep the target alive.
            stage.subject().send(
                "core.copy_",
                {{"dst", stage.at(to)}, {"src", stage.at(from)}, {"non_blocking", true}});
          }};
}

Scenario copies() {
  return {"copies",
          {tensor("host", f32({1, 2, 3}), -1),
           tensor("here", f32({0, 0, 0}), 0),
           tensor("there", f32({0, 0, 0}), 1),
           {"pin", [](Stage& s) { s.keep_pinned("pinned", s.memory().pin_memory(s.at("host"))); }},
           copy("here", "host"),
           copy("there", "here"),
           copy("host", "there"),
           copy_async("here", "pinned"),
           copy_async("pinned", "here"),
           drop("pinned"),
           {"read", [](Stage& s) { s.subject().core().read(s.at("here")); }},
           drop("here"),
           drop("there"),
           drop("host")}};
}

Step with_scaler(const std::string& what, const std::string& verb) {
  return {what, [=](Stage& stage) {
            stage.subject().send(
                verb, {{"scaler", stage.at("scaler")}, {"optimizer", stage.at("optimizer")}});
          }};
}

Scenario training() {
  return {"training",
          {pool_stream("one", 0),
           make_current("one"),
           {"make a parameter",
            [](Stage& s) {
              s.keep("leaf", s.subject().core().leaf(f32({1, 2})));
            }},
           {"make an optimizer",
            [](Stage& s) {
              s.subject().send("optim.sgd", {{"params", List{{s.at("leaf")}}}, {"lr", 0.5}},
                               "optimizer_" + s.subject().fresh_name("o"));
              s.keep("optimizer", Ref{s.subject().history().back().command.as});
            }},
           {"make a scaler",
            [](Stage& s) { s.keep("scaler", s.subject().scaler().make({.init_scale = 4})); }},
           {"scale a loss",
            [](Stage& s) {
              s.subject().send("scaler.scale", {{"scaler", s.at("scaler")}, {"outputs", f32({1})}});
            }},
           {"set a gradient",
            [](Stage& s) {
              s.subject().core().set_grad(s.at("leaf"), f32({4, 8}));
            }},
           with_scaler("unscale", "scaler.unscale_"),
           with_scaler("step", "scaler.step"),
           sending("update", "scaler.update", {{"scaler", "scaler"}}),
           {"read", [](Stage& s) { s.subject().core().read(s.at("leaf")); }},
           drop("scaler"),
           drop("optimizer"),
           drop("leaf"),
           {"put the default stream back",
            [](Stage& s) { s.runtime().set_current_stream(s.runtime().stream(s.device(0), 0)); }}}};
}

}  // namespace

std::vector<Scenario> scenarios() {
  return {streams(), events(),       generic_events(), guards(),
          memory(),  short_memory(), copies(),         training()};
}

}  // namespace assay::suites
