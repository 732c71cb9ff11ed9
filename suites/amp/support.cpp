// Registration, expected results and special values for cases of the area amp.
#include "suites/amp/support.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/check/float_format.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay::suites {
namespace {

std::uint64_t bit(int position) { return std::uint64_t{1} << position; }

std::uint64_t sign_bit(Dtype dtype) {
  const FloatFormat format = format_of(dtype);
  return bit(format.mantissa_bits + format.exponent_bits);
}

std::uint64_t infinity_bits(Dtype dtype) {
  const FloatFormat format = format_of(dtype);
  return (bit(format.exponent_bits) - 1) << format.mantissa_bits;
}

bool is_non_finite(Dtype dtype, double value, bool cuda) {
  // AMP-209: the CUDA kernel converts a double to float for the test only.
  if (dtype == Dtype::kFloat64 && cuda) return !std::isfinite(static_cast<float>(value));
  return !std::isfinite(value);
}

std::uint64_t unscaled_bits(Dtype dtype, std::uint64_t bits, double value, float inv_scale) {
  if (inv_scale == 1.0f) return bits;  // AMP-204
  if (dtype == Dtype::kFloat64)
    return std::bit_cast<std::uint64_t>(value * static_cast<double>(inv_scale));
  return rounded_bits(dtype, static_cast<float>(value) * inv_scale);  // AMP-202, AMP-203
}

}  // namespace

Device host_of(const Session& session) {
  for (const Device& device : session.info().devices) {
    if (device.type == "cpu") return device;
  }
  throw NotOffered("needs the device cpu, which the subject does not list");
}

CaseOptions kernel_case(std::string_view name, std::vector<std::string> clauses,
                        std::function<void(Session&)> body, std::source_location where) {
  return conformance(name, std::move(clauses), std::move(body), where)
      .except(Release::k1_13, DeviceRules::kCpu);
}

bool has_non_finite(const TensorValue& grad, bool cuda) {
  const auto count = static_cast<std::size_t>(grad.numel());
  for (std::size_t i = 0; i < count; ++i) {
    if (is_non_finite(grad.dtype, grad.real_at(i), cuda)) return true;
  }
  return false;
}

TensorValue unscaled(const TensorValue& grad, float inv_scale) {
  TensorValue after = grad;
  const auto count = static_cast<std::size_t>(grad.numel());
  for (std::size_t i = 0; i < count; ++i)
    after.set_bits(i, unscaled_bits(grad.dtype, grad.bits_at(i), grad.real_at(i), inv_scale));
  return after;
}

std::uint64_t rounded_bits(Dtype dtype, float value) {
  if (dtype == Dtype::kFloat32) return std::bit_cast<std::uint32_t>(value);
  const std::uint64_t sign = std::signbit(value) ? sign_bit(dtype) : 0;
  const FloatFormat format = format_of(dtype);
  if (std::isnan(value)) return infinity_bits(dtype) | bit(format.mantissa_bits - 1);
  if (std::isinf(value)) return sign | infinity_bits(dtype);
  if (value == 0) return sign;

  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int exponent = std::max(std::ilogb(value), 1 - bias);
  const int shift = format.mantissa_bits - exponent;
  const double wide = std::fabs(static_cast<double>(value));
  const double nearest = std::ldexp(std::nearbyint(std::ldexp(wide, shift)), -shift);
  if (nearest >= std::ldexp(1.0, bias + 1)) return sign | infinity_bits(dtype);
  return sign | exact_bits(dtype, nearest);
}

void expect_unscales(Session& session, const UnscaleCall& call, Where where) {
  const std::vector<Value> sent(call.grads.begin(), call.grads.end());
  const bool cuda = session.contract().cuda();
  const bool bad = std::any_of(call.grads.begin(), call.grads.end(),
                               [&](const TensorValue& grad) { return has_non_finite(grad, cuda); });

  const auto result = session.amp().unscale(
      {.grads = sent, .found_inf = call.flag_before, .inv_scale = call.inv_scale});

  expect_equal(static_cast<int>(result.grads.size()), static_cast<int>(call.grads.size()), where);
  for (std::size_t i = 0; i < call.grads.size(); ++i) {
    const ScopedTrace at("tensor " + std::to_string(i));
    expect_bits(result.grads[i], unscaled(call.grads[i], call.inv_scale), where);
  }
  expect_bits(result.found_inf, bad ? 1.0f : call.flag_before, where);
}

std::vector<Dtype> gradient_dtypes(const Contract& contract) {
  if (contract.cuda()) return {Dtype::kFloat32, Dtype::kFloat16, Dtype::kFloat64};
  return floating_dtypes();
}

std::vector<Dtype> floating_dtypes() {
  return {Dtype::kFloat32, Dtype::kFloat16, Dtype::kBfloat16, Dtype::kFloat64};
}

std::vector<std::uint64_t> non_finite_bits(Dtype dtype) {
  const std::uint64_t sign = sign_bit(dtype);
  const std::uint64_t infinity = infinity_bits(dtype);
  const std::uint64_t quiet = bit(format_of(dtype).mantissa_bits - 1);
  return {infinity,
          sign | infinity,
          infinity | quiet,
          sign | infinity | quiet,
          infinity | 1,                        // signalling, smallest payload
          sign | infinity | 1,                 //
          infinity | (quiet - 1),              // signalling, all other bits set
          infinity | quiet | 5,                // quiet with a payload
          sign | infinity | (2 * quiet - 1)};  // every bit set
}

std::vector<std::uint64_t> edge_bits(Dtype dtype) {
  const std::uint64_t sign = sign_bit(dtype);
  const std::uint64_t infinity = infinity_bits(dtype);
  const std::uint64_t normal = bit(format_of(dtype).mantissa_bits);
  return {0,
          sign,
          1,
          sign | 1,
          2,
          3,
          normal - 1,
          normal,
          normal + 1,
          sign | (normal + 1),
          normal * 2,
          infinity - 1,
          sign | (infinity - 1),
          infinity - 2,
          infinity - normal,
          infinity / 2,
          infinity / 2 + 1,
          sign | (infinity / 2 + 1)};
}

std::string named(Session& session, const TensorValue& value) {
  std::string name = session.fresh_name("tensor");
  session.send("core.tensor", {{"value", value}}, name);
  return name;
}

TensorValue read(Session& session, const std::string& name) {
  return tensor_field(session.send("core.read", {{"tensor", Ref{name}}}), "result");
}

std::string view_of(Session& session, const std::string& base, const View& view) {
  const auto list_of = [](const std::vector<std::int64_t>& numbers) {
    return List{std::vector<Value>(numbers.begin(), numbers.end())};
  };
  std::string name = session.fresh_name("view");
  session.send("core.as_strided",
               {{"tensor", Ref{base}},
                {"shape", list_of(view.shape)},
                {"strides", list_of(view.strides)},
                {"offset", view.offset}},
               name);
  return name;
}

TensorValue ramp(Dtype dtype, std::int64_t numel) {
  TensorValue tensor = filled(dtype, numel, 0);
  for (std::int64_t i = 0; i < numel; ++i) {
    tensor.set_bits(static_cast<std::size_t>(i),
                    exact_bits(dtype, static_cast<double>(i % 100 + 1)));
  }
  return tensor;
}

std::uint64_t Bits::next() {
  // xorshift64*: short, and the same on every machine.
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545f4914f6cdd1dULL;
}

}  // namespace assay::suites
