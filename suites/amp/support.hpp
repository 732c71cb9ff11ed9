// Helpers for cases of the area amp: registration, scalars by their bits, and a second computation
// of the results that the clauses require.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/amp.hpp"

namespace assay::suites {

/// A case for every contract with AMP kernels; 1.13 has none for CPU (AMP-004).
CaseOptions kernel_case(std::string_view name, std::vector<std::string> clauses,
                        std::function<void(Session&)> body,
                        std::source_location where = std::source_location::current());

inline float float_of(std::uint32_t bits) { return std::bit_cast<float>(bits); }
/// A number, which the subject converts to a 0-dim float32 tensor.
inline Value number(std::uint32_t bits) { return float_of(bits); }

/// The operator's flag for one gradient: true if an element is not finite by the rule of this
/// device (AMP-209).
bool has_non_finite(const TensorValue& grad, bool cuda);
/// The contents of `grad` after the operator (AMP-201 … 204).
TensorValue unscaled(const TensorValue& grad, float inv_scale);
/// The bits of `value` rounded to the type, ties to even, overflow to infinity.
std::uint64_t rounded_bits(Dtype dtype, float value);

/// A call whose result the functions above compute.
struct UnscaleCall {
  std::vector<TensorValue> grads;
  float inv_scale = 0.5f;
  float flag_before = 0.0f;
};
/// Makes the call and checks all elements, dtype, shape and flag.
void expect_unscales(Session& session, const UnscaleCall& call, Where where = Where::current());

/// The subject's CPU; not every subject lists it among its devices.
Device host_of(const Session& session);

/// The gradient dtypes that the kernel of this contract supports (AMP-212).
std::vector<Dtype> gradient_dtypes(const Contract& contract);
/// All floating dtypes with values in the protocol.
std::vector<Dtype> floating_dtypes();

/// Infinities and NaNs of both signs, quiet and signalling, with different payloads.
std::vector<std::uint64_t> non_finite_bits(Dtype dtype);
/// Finite values that an incorrect test takes for non-finite ones, or that an incorrect product
/// changes: the largest, the smallest normal and subnormal, both zeros, odd ones.
std::vector<std::uint64_t> edge_bits(Dtype dtype);

/// Makes a named tensor and returns its name.
std::string named(Session& session, const TensorValue& value);
TensorValue read(Session& session, const std::string& name);

/// A view of a named tensor.
struct View {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;
};
std::string view_of(Session& session, const std::string& base, const View& view);

/// Small different numbers: 1, 2, 3, … 100, repeated.
TensorValue ramp(Dtype dtype, std::int64_t numel);

/// A reproducible stream of random bits.
class Bits {
 public:
  explicit Bits(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// A number below `limit`.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

 private:
  std::uint64_t state_;
};

}  // namespace assay::suites
