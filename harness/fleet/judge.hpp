// A verdict for each GPU of a fleet, from its neighbours.
//
// A GPU is compared with the others of its model, MIG mode and build of the harness. Each quantity
// is tested in three forms: as it is; within its family (without what all memory-bound quantities
// of the GPU have in common, say); and the families themselves, as they are, beside another family,
// and as a drift over the processes of the bench. Holm's procedure corrects for all tests: one half
// of alpha is for quantities, the other for families.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/fleet/gpu.hpp"

namespace assay::fleet {

/// The worst one that applies, in this order.
enum class Verdict : std::uint8_t { kWrongBits, kMisconfigured, kOddOne, kUndecided, kLike };
inline constexpr std::size_t kVerdicts = 5;
/// `odd one out`
std::string_view name_of(Verdict verdict);
/// `odd_one_out`
std::string_view word_of(Verdict verdict);

struct JudgeOptions {
  double alpha = 0.01;   ///< the chance that a healthy fleet has any odd GPU
  double margin = 0.02;  ///< smaller differences do not count
};

/// A GPU and the others, in one quantity or family.
struct Difference {
  enum class Kind : std::uint8_t { kQuantity, kFamily, kDrift };
  Kind kind = Kind::kQuantity;
  Family family = Family::kMemory;
  std::string name;  ///< of the quantity, or the family
  double ratio = 1;  ///< of times; above 1 is slower
  double z = 0;      ///< in units of how far the others lie apart
  double p = 1;      ///< corrected
  /// For quantities: the time, and that in units of the GPU's own floor; of this GPU and, as
  /// medians, of its neighbours.
  std::optional<double> own_ns{}, their_ns{}, own_floor{}, their_floor{}, own_roof{}, their_roof{};
  std::string floor_unit{};
};

/// Where a family of a GPU lies.
struct Place {
  double shift = 0;    ///< logarithm
  bool apart = false;  ///< beyond the margin and the usual noise; not a verdict
};

struct Judged {
  Verdict verdict = Verdict::kUndecided;
  std::vector<std::string> reasons;     ///< the first is the main one
  std::vector<Difference> differences;  ///< confirmed, those of families first
  std::array<std::optional<Place>, kFamilies> places;
  std::size_t compared = 0;  ///< quantities
  std::size_t neighbours = 0;
};

struct Group {
  std::string name;                  ///< `NVIDIA H200, MIG off`
  std::vector<std::size_t> members;  ///< indices of GPUs with costs
  std::size_t quantities = 0;
};

struct Judgement {
  std::vector<Judged> gpus;  ///< as in the fleet
  std::vector<Group> groups;
  std::vector<std::string> notes;  ///< what is true of the fleet and of no single GPU
  std::array<std::size_t, kVerdicts> counts{};
  std::size_t tests = 0;
};

Judgement judge(const Fleet& fleet, const JudgeOptions& options);

}  // namespace assay::fleet
