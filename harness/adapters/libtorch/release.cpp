// All code that depends on the PyTorch version of this build.
#include "harness/adapters/libtorch/release.hpp"

#include <ATen/autocast_mode.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#if TORCH_VERSION_MAJOR >= 2
#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#endif

#include <atomic>
#include <charconv>

#include "harness/adapters/libtorch/runtime/arguments.hpp"

namespace assay::libtorch {
namespace {

#if TORCH_VERSION_MAJOR < 2
namespace handlers = c10::Warning;
#else
namespace handlers = c10::WarningUtils;
#endif

constexpr int kVersion = TORCH_VERSION_MAJOR * 1000 + TORCH_VERSION_MINOR;

std::uint64_t from_sixteen_digits(const std::string& text) {
  std::uint64_t bits = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, bits, 16);
  if (error != std::errc{} || end != last) {
    throw InvalidArgument("text must be hexadecimal digits of 64 bits");
  }
  return bits;
}

template <typename Stream>
void give_packed_of(Call& call, const Stream& stream) {
  if constexpr (requires { stream.pack(); }) {
    expect_printable(stream);
    call.result(Value(sixteen_digits(stream.pack())));
  } else {
    const auto parts = stream.pack3();
    call.set("id", std::int64_t{parts.stream_id});
    call.set("device_index", std::int64_t{parts.device_index});
    call.set("device_type", static_cast<std::int64_t>(parts.device_type));
  }
}

template <typename Stream>
Stream unpacked_of(Call& call) {
  constexpr bool kIsWord = requires { Stream::unpack(std::uint64_t{}); };
  if (call.has("text") != kIsWord) throw NotSupported("this PyTorch packs a stream otherwise");
  if constexpr (kIsWord) {
    return Stream::unpack(from_sixteen_digits(call.arguments().text("text")));
  } else {
    return Stream::unpack3(call.arguments().integer("id"),
                           static_cast<c10::DeviceIndex>(call.arguments().integer("device_index")),
                           static_cast<c10::DeviceType>(call.arguments().integer("device_type")));
  }
}

template <typename Backend>
c10::Stream new_stream_of(const Backend& backend, c10::Device device, int priority) {
  if constexpr (requires { backend.getNewStream(device, priority); }) {
    return backend.getNewStream(device, priority);
  }
  throw NotSupported("backends of this PyTorch release cannot create streams");
}

template <typename Event>
void wait_for(const Event& event) {
  if constexpr (requires { event.synchronize(); }) return event.synchronize();
  throw NotSupported("events of this PyTorch release have no synchronize");
}

template <typename Event>
double elapsed_between(const Event& from, const Event& to) {
  if constexpr (requires { from.elapsedTime(to); }) return from.elapsedTime(to);
  throw NotSupported("events of this PyTorch release have no elapsedTime");
}

std::atomic<bool> warned_once{false};

class WarningCollector final : public c10::WarningHandler {
 public:
  using Keep = void (*)(Warning);
  explicit WarningCollector(Keep keep) : keep_(keep) {}

#if TORCH_VERSION_MAJOR < 2
  void process(const c10::SourceLocation&, const std::string& message, bool) override {
    keep_({"UserWarning", message});
  }
#else
  void process(const c10::Warning& warning) override {
    const bool is_old = std::holds_alternative<c10::DeprecationWarning>(warning.type());
    if (warning.msg().starts_with("Warning only once")) warned_once = true;
    keep_({is_old ? "DeprecationWarning" : "UserWarning", warning.msg()});
  }
#endif

 private:
  Keep keep_;
};

}  // namespace

Release release() {
  if (kVersion >= 2015) return Release::k2_15;
  if (kVersion >= 2014) return Release::k2_14;
  if (kVersion >= 2013) return Release::k2_13;
  if (kVersion >= 2012) return Release::k2_12;
  if (kVersion >= 2011) return Release::k2_11;
  return kVersion >= 2004 ? Release::k2_4 : Release::k1_13;
}

const std::vector<NamedTag>& tags() {
  static const std::vector<NamedTag> all {
#if TORCH_VERSION_MAJOR >= 2
    {"core", at::Tag::core}, {"needs_fixed_stride_order", at::Tag::needs_fixed_stride_order},
        {"pointwise", at::Tag::pointwise}, {"pt2_compliant_tag", at::Tag::pt2_compliant_tag},
#endif
        {"data_dependent_output", at::Tag::data_dependent_output},
        {"dynamic_output_shape", at::Tag::dynamic_output_shape}, {"generated", at::Tag::generated},
        {"inplace_view", at::Tag::inplace_view},
        {"nondeterministic_bitwise", at::Tag::nondeterministic_bitwise},
        {"nondeterministic_seeded", at::Tag::nondeterministic_seeded},
        {"view_copy", at::Tag::view_copy},
  };
  return all;
}

#if TORCH_VERSION_MAJOR * 1000 + TORCH_VERSION_MINOR < 2004
void set_autograd_fallback(const std::string&) {
  throw NotSupported("the autograd fallback of this PyTorch has no modes");
}
void reset_autograd_fallback() {}

at::ScalarType autocast_cpu_dtype() { return at::autocast::get_autocast_cpu_dtype(); }
void set_autocast_cpu_dtype(at::ScalarType dtype) { at::autocast::set_autocast_cpu_dtype(dtype); }
#else
void set_autograd_fallback(const std::string& mode) {
  using Mode = torch::autograd::AutogradFallbackMode;
  if (mode != "nothing" && mode != "warn") throw NotSupported("no mode '" + mode + "'");
  torch::autograd::setAutogradFallbackMode(mode == "warn" ? Mode::Warn : Mode::Nothing);
}
void reset_autograd_fallback() { set_autograd_fallback("warn"); }

at::ScalarType autocast_cpu_dtype() { return at::autocast::get_autocast_dtype(at::kCPU); }
void set_autocast_cpu_dtype(at::ScalarType dtype) {
  at::autocast::set_autocast_dtype(at::kCPU, dtype);
}
#endif

bool has_warned_once() { return warned_once; }

void hand_warnings_to(void (*keep)(Warning warning)) {
  static WarningCollector keeper(keep);
  handlers::set_warning_handler(&keeper);
}

void expect_printable(const c10::Stream& stream) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 47;
  if (kVersion < 2000 && (stream.id() < -kLimit || stream.id() >= kLimit)) {
    throw NotSupported("PyTorch ends the process when it packs such an id");
  }
}

void give_packed(Call& call, const c10::Stream& stream) { give_packed_of(call, stream); }
c10::Stream unpacked_argument(Call& call) { return unpacked_of<c10::Stream>(call); }
c10::Stream new_stream(const c10::impl::DeviceGuardImplInterface& backend, c10::Device device,
                       int priority) {
  return new_stream_of(backend, device, priority);
}
void wait_on_host(const c10::Event& event) { wait_for(event); }
double elapsed_ms(const c10::Event& from, const c10::Event& to) {
  return elapsed_between(from, to);
}

}  // namespace assay::libtorch
