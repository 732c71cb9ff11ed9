// A runtime with one operator, and what makes it a subject. Start yours from here.
#include "my_subject.hpp"

#include <assay/subject/arguments.hpp>
#include <cmath>
#include <cstdint>
#include <string_view>

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

/// What is missing is answered `invalid`, what is not there yet `unsupported`.
float number(Arguments& arguments, std::string_view name) {
  if (arguments.value(name).tensor() != nullptr) throw assay::NotSupported("no tensors yet");
  return static_cast<float>(arguments.real(name));
}

Reply answer_update_scale(Arguments& arguments) {
  float scale = number(arguments, "scale");
  auto tracker = static_cast<std::int32_t>(arguments.integer("tracker"));
  const float found_inf = number(arguments, "found_inf");
  const double growth = arguments.real("growth");
  const double backoff = arguments.real("backoff");
  const auto interval = static_cast<std::int32_t>(arguments.integer("interval"));
  arguments.done();  // `unsupported` where there is an argument that nobody has read
  update_scale(scale, tracker, found_inf, growth, backoff, interval);
  return Reply::make_ok({{"scale", scale},
                         {"tracker", std::int64_t{tracker}},
                         {"found_inf", found_inf},
                         {"same", true}});
}

/// Settles what is compared with what: here PyTorch 2.11 on a CUDA device.
Reply hello() {
  return Reply::make_ok({{"protocol", assay::kProtocolVersion},
                         {"name", "my_runtime"},
                         {"version", "1"},
                         {"devices", assay::List{{assay::Device{"cuda", 0}}}},
                         {"areas", assay::List{{"amp"}}},
                         {"threads", false},
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
    if (command.verb == "amp.update_scale") return answer_update_scale(arguments);
    throw assay::NotSupported("no command " + command.verb);
  }
};

}  // namespace

std::unique_ptr<assay::Subject> make_my_subject() { return std::make_unique<MySubject>(); }
