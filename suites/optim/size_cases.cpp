// Sizes and positions in memory: every element of a parameter is updated, wherever it is in memory,
// and no other memory.
#include <cmath>

#include "harness/suite/clients/core.hpp"
#include "suites/optim/optimizing.hpp"

namespace assay::suites {
namespace {

/// The value before and after the elements.
constexpr double kBeside = 77;
constexpr std::size_t kBehind = 6;

/// The number of elements, and the number of elements before them in memory.
struct Piece {
  std::size_t length;
  std::size_t param_offset;
  std::size_t grad_offset;
};

const std::vector<Piece>& pieces() {
  static const std::vector<Piece> all = {{1, 0, 0},    {1, 3, 0},    {2, 1, 1},    {3, 2, 1},
                                         {4, 0, 0},    {4, 1, 1},    {5, 3, 3},    {7, 0, 2},
                                         {8, 5, 5},    {9, 2, 7},    {1023, 1, 1}, {1025, 0, 3},
                                         {4096, 0, 0}, {4097, 3, 3}, {9001, 2, 2}};
  return all;
}

/// PyTorch's fused SGD for CPUs does not update halves (OPT-016).
bool is_left_out(const Contract& contract, Dtype dtype) {
  const bool is_half = dtype == Dtype::kFloat16 || dtype == Dtype::kBfloat16;
  return is_half && contract.device_rules == DeviceRules::kCpu &&
         contract.deviations == Deviations::kCompat;
}

double param_at(std::size_t i) { return static_cast<double>(i % 64); }
/// Never 0.
double grad_at(std::size_t i) { return 8 * (static_cast<double>(i % 7) - 3.5); }

/// Elements in the middle of a larger tensor.
class Embedded {
 public:
  Embedded(Session& subject, Dtype dtype, std::size_t offset, const std::vector<double>& elements)
      : subject_(&subject), offset_(offset), length_(elements.size()) {
    std::vector<double> all(offset, kBeside);
    all.insert(all.end(), elements.begin(), elements.end());
    all.insert(all.end(), kBehind, kBeside);
    CoreClient core(subject);
    memory_ = core.tensor(tensor_of(dtype, all));
    view_ = core.as_strided(memory_, {.shape = {static_cast<std::int64_t>(length_)},
                                      .strides = {1},
                                      .offset = static_cast<std::int64_t>(offset)});
  }
  operator Value() const { return view_; }

  /// Checks `is_right(i, element)` for each element, and that the surrounding memory is unchanged.
  void expect(const std::function<bool(std::size_t, double)>& is_right) const {
    const TensorValue after = CoreClient(*subject_).read(memory_);
    for (std::size_t i = 0; i < offset_ + length_ + kBehind; ++i) {
      const bool is_element = i >= offset_ && i < offset_ + length_;
      const double got = after.real_at(i);
      const bool fits = is_element ? is_right(i - offset_, got) : got == kBeside;
      expect_true(
          fits, "place " + std::to_string(i) + " holds what it should, not " + std::to_string(got));
    }
  }

 private:
  Session* subject_;
  std::size_t offset_;
  std::size_t length_;
  Ref memory_;
  Ref view_;
};

std::vector<double> numbers(std::size_t count, double (*at)(std::size_t)) {
  std::vector<double> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = at(i);
  return made;
}

/// All pieces as parameters of one optimizer.
struct Model {
  Model(Session& subject, Dtype dtype) {
    for (const Piece& piece : pieces()) {
      params.emplace_back(subject, dtype, piece.param_offset, numbers(piece.length, param_at));
      grads.emplace_back(subject, dtype, piece.grad_offset, numbers(piece.length, grad_at));
      values.emplace_back(params.back());
      subject.send("core.set_grad", {{"tensor", values.back()}, {"grad", grads.back()}});
    }
  }

  void expect_params(const std::function<bool(std::size_t, double)>& is_right) const {
    for (std::size_t i = 0; i < params.size(); ++i) {
      const ScopedTrace at("parameter " + std::to_string(i));
      params[i].expect(is_right);
      grads[i].expect([](std::size_t element, double got) { return got == grad_at(element); });
    }
  }

  std::vector<Embedded> params;
  std::vector<Embedded> grads;
  std::vector<Value> values;
};

}  // namespace

CASES("optim/size") {
  conformance("sgd_steps_every_element_and_no_other", {"OPT-018"}, [](Session& subject) {
    for (const Dtype dtype :
         {Dtype::kFloat32, Dtype::kFloat64, Dtype::kFloat16, Dtype::kBfloat16}) {
      for (const std::string& mode : modes(subject)) {
        if (mode == "fused" && is_left_out(subject.contract(), dtype)) continue;
        const ScopedTrace at(std::string(name_of(dtype)) + ", " + mode);
        const Model model(subject, dtype);
        const auto optimizer = subject.optim().sgd(
            {.params = model.values, .lr = 0.25, .momentum = 0.5, .mode = mode});

        optimizer.step();
        optimizer.step();

        model.expect_params([](std::size_t i, double got) {
          return got == param_at(i) - 0.625 * grad_at(i);  // exact in every type
        });
      }
    }
  });

  conformance("adam_steps_every_element_and_no_other", {"OPT-018"}, [](Session& subject) {
    for (const char* kind : {"adam", "adamw"}) {
      for (const std::string& mode : modes(subject)) {
        const ScopedTrace at(std::string(kind) + ", " + mode);
        const Model model(subject, Dtype::kFloat32);
        const bool decays = std::string_view(kind) == "adamw";

        made(subject, kind, model.values, mode).step();

        model.expect_params([&](std::size_t i, double got) {
          const double before = param_at(i) * (decays ? 1 - 0.25 * 0.01 : 1);
          return std::abs(got - (before - std::copysign(0.25, grad_at(i)))) < 1e-4;
        });
      }
    }
  });

  conformance("a_parameter_without_elements_counts_its_steps", {"SCL-613"}, [](Session& subject) {
    for (const std::string& mode : modes(subject)) {
      const ScopedTrace at(mode);
      const Param first = param(subject, 1, 1);
      const Param none(subject, f32({}));
      none.set_grad(f32({}));
      const auto optimizer = made(subject, "adam", {first, none}, mode);

      optimizer.step();
      optimizer.step();

      for (const std::size_t index : {0U, 1U})
        expect_equal(number_in(state_of(optimizer, index, "step")), 2.0);
    }
  });
}

}  // namespace assay::suites
