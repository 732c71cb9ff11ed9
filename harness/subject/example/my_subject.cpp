// A runtime with one operator, and what makes it a subject. Start yours from here.
#include "my_subject.hpp"

#include <assay/subject/arguments.hpp>
#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

namespace {

/// The runtime itself. It knows nothing of Assay. (AMP-101 to AMP-111, as on a CUDA device.)
void update_scale(float& scale, std::int32_t& tracker, float found_inf, double growth,
                  double backoff, std::int32_t interval) {
  if (found_inf != 0) {
    scale = static_cast<float>(scale * backoff);
    tracker = 0;
    return;
  }
  tracker = static_cast<std::int32_t>(static_cast<std::uint32_t>(tracker) + 1);
  if (tracker != interval) return;
  const auto candidate = static_cast<float>(scale * growth);
  if (std::isfinite(candidate)) scale = candidate;
  tracker = 0;
}

using assay::Arguments;
using assay::Reply;

/// An operand that the operator changes in place: a number, or a tensor of one element. Cases also
/// try what PyTorch refuses (other types, sizes and devices); this runtime does not check these.
template <typename T>
struct Cell {
  using Number = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;

  explicit Cell(const assay::Value& given) : tensor(given.tensor()) {
    if (tensor != nullptr && fits(*tensor)) {
      value = std::bit_cast<T>(static_cast<std::uint32_t>(tensor->bits_at(0)));
    } else if (const auto* number = given.get_if<Number>()) {
      value = static_cast<T>(*number);
    } else {
      throw assay::NotSupported("only numbers and tensors of one element, of the operator's type");
    }
  }

  static bool fits(const assay::TensorValue& given) {
    const auto wanted = std::is_integral_v<T> ? assay::Dtype::kInt32 : assay::Dtype::kFloat32;
    return given.dtype == wanted && given.data.size() == sizeof(T) && given.strides.empty() &&
           (given.device.type.empty() || given.device == assay::Device{"cuda", 0});
  }

  assay::Value reply() const {
    if (tensor == nullptr) return value;
    assay::TensorValue changed = *tensor;
    changed.device = {"cuda", 0};
    changed.set_bits(0, std::bit_cast<std::uint32_t>(value));
    return changed;
  }

  const assay::TensorValue* tensor;
  T value;
};

Reply answer_update_scale(Arguments& arguments) {
  Cell<float> scale(arguments.value("scale"));
  Cell<std::int32_t> tracker(arguments.value("tracker"));
  const Cell<float> found_inf(arguments.value("found_inf"));
  const double growth = arguments.real("growth");
  const double backoff = arguments.real("backoff");
  const auto interval = static_cast<std::int32_t>(arguments.integer("interval"));
  arguments.done();  // replies `unsupported` if an argument was not read
  update_scale(scale.value, tracker.value, found_inf.value, growth, backoff, interval);
  return Reply::make_ok({{"scale", scale.reply()},
                         {"tracker", tracker.reply()},
                         {"found_inf", found_inf.reply()},
                         {"same", true}});
}

/// States the contract: here PyTorch 2.11 on a CUDA device.
Reply hello() {
  return Reply::make_ok({{"protocol", assay::kProtocolVersion},
                         {"name", "my_runtime"},
                         {"version", "1"},
                         {"devices", assay::List{{assay::Device{"cuda", 0}}}},
                         {"areas", assay::List{{"amp"}}},
                         {"threads", false},
                         // Missing, or without some arguments. A command that is forgotten here
                         // makes the verdict INCOMPLETE.
                         {"without", assay::List{{"amp.update_scale", "amp.unscale*", "amp.plan",
                                                  "amp.schemas", "counts", "scope"}}},
                         {"release", "2.11"},
                         {"device_rules", "cuda"},
                         {"deviations", "strict"}});
}

class MySubject final : public assay::Subject {
 public:
  Reply execute(const assay::Command& command, assay::Host&) override {
    Arguments arguments(command);
    if (command.verb == "hello") return hello();
    if (command.verb == "reset") return Reply::make_ok({{"uncleaned", assay::List{}}});
    if (command.verb == "amp.update_scale") return answer_or_decline(arguments);
    throw assay::NotSupported("no command " + command.verb);
  }

 private:
  /// Some cases give a string for a number, to be refused: not the business of this runtime.
  static Reply answer_or_decline(Arguments& arguments) {
    try {
      return answer_update_scale(arguments);
    } catch (const assay::InvalidArgument& unfit) {
      throw assay::NotSupported(unfit.what());
    }
  }
};

}  // namespace

std::unique_ptr<assay::Subject> make_my_subject() { return std::make_unique<MySubject>(); }
