// What the cases of area amp share: registration, scalars by their bits, and the results that the
// clauses demand, computed once more here.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/amp.hpp"

namespace assay::suites {

/// A case for every contract that has AMP kernels: 1.13 has none for CPU (AMP-004).
CaseOptions kernel_case(std::string_view name, std::vector<std::string> clauses,
                        std::function<void(Session&)> body,
                        std::source_location where = std::source_location::current());

inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
/// Crosses as a number: the subject makes a 0-dim float32 tensor of it.
inline Value number(std::uint32_t bits) { return float_of(bits); }

/// `flag` of the operator for one gradient: is any element not finite, by the rule of this device
/// (AMP-209)?
bool has_non_finite(const TensorValue& grad, bool cuda);
/// What the operator leaves in `grad` (AMP-201 … 204).
TensorValue unscaled(const TensorValue& grad, float inv_scale);
/// `value` rounded to the type, ties to even, overflow to infinity; the bits of the result.
std::uint64_t rounded_bits(Dtype dtype, float value);

/// One call whose result the arithmetic above foretells.
struct UnscaleCall {
  std::vector<TensorValue> grads;
  float inv_scale = 0.5f;
  float flag_before = 0.0f;
};
/// Makes the call and expects every element, dtype and shape, and the flag.
void expect_unscales(Session& session, const UnscaleCall& call, Where where = Where::current());

/// The subject's own processor; not every subject has it among its devices.
Device host_of(const Session& session);

/// The gradient dtypes that the kernel of this contract takes (AMP-212).
std::vector<Dtype> gradient_dtypes(const Contract& contract);
/// Every one that crosses the waist.
std::vector<Dtype> floating_dtypes();

/// Infinities and NaNs of both signs, quiet and signalling, with various payloads.
std::vector<std::uint64_t> non_finite_bits(Dtype dtype);
/// Finite values that a careless test takes for non-finite ones, or a careless product spoils: the
/// largest, the smallest normal and subnormal, both zeros, odd ones.
std::vector<std::uint64_t> edge_bits(Dtype dtype);

/// Makes an object of area core and returns its name.
std::string named(Session& session, const TensorValue& value);
TensorValue read(Session& session, const std::string& name);

/// Part of the storage of a named tensor.
struct View {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
};
std::string view_of(Session& session, const std::string& base, const View& view);

/// Small numbers, all different: 1, 2, 3, … up to 100, again from 1.
TensorValue ramp(Dtype dtype, std::int64_t numel);

/// A stream of bits that is the same in every run.
class Bits {
 public:
  explicit Bits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Below `limit`.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace assay::suites
