// What the cases of loss scales share: settings, steps, and a model of what they do to a scale.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/loss_scale.hpp"

namespace assay::suites {

/// `o` is an overflow, `.` a clean step: "..o." has four steps.
std::vector<bool> steps_of(std::string_view text);

/// Exact as long as scale and factors are powers of two that no type rounds.
class Model {
 public:
  explicit Model(const LossScaleSettings& settings);
  std::vector<double> update(const std::vector<bool>& overflows);

 private:
  double step(bool overflow);
  void back_off();
  void grow();

  LossScaleSettings settings_;
  double scale_;
  std::int64_t count_ = 0;
  std::int64_t free_overflows_;
};

/// A new loss scale of the subject.
LossScaleHandle made(Session& subject, const LossScaleSettings& settings);
/// The scales after each step.
void expect_scales(const LossScaleHandle& scale, std::string_view steps,
                   const std::vector<double>& wanted, Where where = Where::current());
/// The same for the scales that the model has.
void expect_as_model(const LossScaleHandle& scale, Model& model, const std::vector<bool>& steps,
                     Where where = Where::current());

/// Two objects that must do the same.
void expect_same_scales(const LossScaleHandle& scale, const LossScaleHandle& other,
                        std::string_view steps, Where where = Where::current());

/// A case of the area: its clauses hold since contract 2.4.
CaseOptions loss_scale_case(std::string_view name, std::vector<std::string> clauses,
                            std::function<void(Session&)> body, Where where = Where::current());

/// Two cases with a new object for every list of eight steps, of which all shorter ones are
/// beginnings: the lists that begin clean, and the others.
void every_list_of_eight(const std::string& with, const std::vector<std::string>& clauses,
                         const LossScaleSettings& settings, Where where = Where::current());

}  // namespace assay::suites
