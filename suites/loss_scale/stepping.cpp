// Implements what the cases of loss scales share.
#include "suites/loss_scale/stepping.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::suites {
namespace {

Value list_of(const std::vector<double>& numbers) { return List{{numbers.begin(), numbers.end()}}; }

std::vector<bool> list_of_eight(unsigned bits) {
  std::vector<bool> steps;
  for (unsigned at = 0; at < 8; ++at) steps.push_back((bits >> at & 1U) != 0);
  return steps;
}

std::string text_of(const std::vector<bool>& steps) {
  std::string text;
  for (const bool overflow : steps) text += overflow ? 'o' : '.';
  return text;
}

void run_lists_of_eight(Session& subject, const LossScaleSettings& settings, bool first) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    const std::vector<bool> steps = list_of_eight(bits);
    if (steps[0] != first) continue;
    const LossScaleHandle scale = made(subject, settings);
    Model model(settings);
    expect_as_model(scale, model, steps);
    scale.drop();
  }
}

}  // namespace

std::vector<bool> steps_of(std::string_view text) {
  std::vector<bool> steps;
  for (const char letter : text) steps.push_back(letter == 'o');
  return steps;
}

Model::Model(const LossScaleSettings& settings)
    : settings_(settings),
      scale_(settings.scale),
      free_overflows_(settings.hysteresis.value_or(1) - 1) {}

std::vector<double> Model::update(const std::vector<bool>& overflows) {
  std::vector<double> scales;
  for (const bool overflow : overflows) scales.push_back(step(overflow));
  return scales;
}

double Model::step(bool overflow) {
  if (overflow) {
    count_ = 0;                              // LSC-104
    if (free_overflows_-- <= 0) back_off();  // LSC-203
  } else if (++count_ == settings_.growth_interval) {
    count_ = 0;                                              // LSC-105
    free_overflows_ = settings_.hysteresis.value_or(1) - 1;  // LSC-204
    grow();
  }
  return scale_;
}

void Model::back_off() {
  scale_ *= settings_.backoff_factor;
  if (settings_.floor) scale_ = std::max(scale_, *settings_.floor);
}

void Model::grow() {
  const double grown = scale_ * settings_.growth_factor;
  if (!std::isfinite(grown)) return;
  scale_ = settings_.ceiling ? std::min(grown, *settings_.ceiling) : grown;
}

LossScaleHandle made(Session& subject, const LossScaleSettings& settings) {
  return LossScaleClient(subject).make(settings);
}

void expect_scales(const LossScaleHandle& scale, std::string_view steps,
                   const std::vector<double>& wanted, Where where) {
  const ScopedTrace at("steps " + std::string(steps));
  expect_bits(list_of(scale.update(steps_of(steps))), list_of(wanted), where);
}

void expect_as_model(const LossScaleHandle& scale, Model& model, const std::vector<bool>& steps,
                     Where where) {
  const ScopedTrace at("steps " + text_of(steps));
  expect_bits(list_of(scale.update(steps)), list_of(model.update(steps)), where);
}

void expect_same_scales(const LossScaleHandle& scale, const LossScaleHandle& other,
                        std::string_view steps, Where where) {
  expect_scales(scale, steps, other.update(steps_of(steps)), where);
}

CaseOptions loss_scale_case(std::string_view name, std::vector<std::string> clauses,
                            std::function<void(Session&)> body, Where where) {
  return conformance(name, std::move(clauses), std::move(body), where).since(Release::k2_4);
}

void every_list_of_eight(const std::string& with, const std::vector<std::string>& clauses,
                         const LossScaleSettings& settings, Where where) {
  for (const bool first : {false, true}) {
    loss_scale_case(
        "every_list_of_eight_that_begins_" + std::string(first ? "with_an_overflow_" : "clean_") +
            with,
        clauses,
        [settings, first](Session& subject) { run_lists_of_eight(subject, settings, first); },
        where);
  }
}

}  // namespace assay::suites
