// The answers to the commands of area loss_scale, for every runtime in C++.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/subject/arguments.hpp"

namespace assay {

/// `Runtime` names the types of a runtime and decides what the runtime decides:
///
///   Call, Object
///   Settings                 scale, growth_factor, backoff_factor, growth_interval; and floor,
///                            ceiling and hysteresis, which change only where they are given
///   LossScale                update(overflow), get(), save(), and load(state), which gets null for
///                            what is no saved state
///   State
///   make(call, settings)
///   kDtype                   what the scale is kept in
template <typename Runtime>
struct LossScaleCommandsOf {
  using Call = typename Runtime::Call;
  using Object = typename Runtime::Object;
  using LossScale = typename Runtime::LossScale;
  using State = typename Runtime::State;

  static void new_(Call& call) {
    typename Runtime::Settings asked;
    asked.scale = call.arguments().real("scale");
    asked.growth_factor = call.arguments().real("growth_factor");
    asked.backoff_factor = call.arguments().real("backoff_factor");
    asked.growth_interval = call.arguments().integer("growth_interval");
    if (call.has("floor")) asked.floor = call.arguments().real("floor");
    if (call.has("ceiling")) asked.ceiling = call.arguments().real("ceiling");
    if (call.has("hysteresis")) asked.hysteresis = call.arguments().integer("hysteresis");
    if (call.has("dtype") && call.dtype("dtype") != Runtime::kDtype) {
      throw NotSupported("loss_scale.new with a scale of another type");
    }
    call.result(Object(Runtime::make(call, asked), "loss scale"));
  }
  static void update(Call& call) {
    const auto held = loss_scale(call);
    List scales;
    for (const bool overflow : flags(call)) {
      held->update(overflow);
      scales.items.emplace_back(held->get());
    }
    call.set("scales", Value(std::move(scales)));
  }
  static void get(Call& call) { call.result(Value(loss_scale(call)->get())); }
  static void save(Call& call) {
    call.result(Object(std::make_shared<State>(loss_scale(call)->save()), "saved loss scale"));
  }
  static void load(Call& call) {
    const auto held = loss_scale(call);
    if (!call.template refers_to<State>("state")) return held->load(nullptr);
    held->load(call.template held<State>("state", "saved loss scale").get());
  }

 private:
  static std::shared_ptr<LossScale> loss_scale(Call& call) {
    return call.template held<LossScale>("loss_scale", "loss scale");
  }
  /// All are read before the first one counts.
  static std::vector<bool> flags(Call& call) {
    std::vector<bool> flags;
    for (const Value& item : call.arguments().items("overflows")) {
      const bool* flag = item.get_if<bool>();
      if (flag == nullptr) throw InvalidArgument("'overflows' must be a list of bools");
      flags.push_back(*flag);
    }
    return flags;
  }
};

}  // namespace assay
