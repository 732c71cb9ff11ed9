// How far each member of a group lies from the others, in a group that may have several levels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace assay::stats {

/// One member of a group: a machine of many. Values are logarithms, so that shifts are ratios.
struct Member {
  double center = 0;
  double own_error = 0;              ///< the standard error of the centre, from its own replicates
  std::vector<double> replicates{};  ///< may be empty: then the centre is all that is known
};

/// From the median of the replicates and its interval. Throws std::invalid_argument if there are
/// none.
Member member_of(std::vector<double> replicates);

/// What a member of a group is compared with.
struct Oddness {
  double shift = 0;   ///< centre minus the median of all
  double beyond = 0;  ///< distance to the nearest others, if they are not a few odd ones as well
  double z = 0;       ///< in units of `error`
  double error = 0;   ///< how far members of this group lie apart without a reason
  double p = 1;       ///< two-sided
};

/// Smaller groups say nothing about their members.
inline constexpr std::size_t kFewestMembers = 5;

/// Members of a healthy group may lie on several levels, as GPUs near to the CPU that measures and
/// far from it do; a level has more members than a twentieth of the group (and than one, or two of
/// sixteen or more). So a member is compared with its nearest level and not with the middle of the
/// group: `beyond` is the distance within which there are so many others.
///
/// The scale is the widest of: the density of the most crowded part of the group; how far members
/// lie from the others, without the largest such distances; what their own replicates say; and
/// `floor`. In groups below 20, also the median distance of the others to their median. A member
/// with more noise of its own than the others has a wider scale.
///
/// p is the larger one of Student's test and of the chance that so many of the member's replicates
/// lie as far out, if they were drawn from those of the others: a process that now and then falls
/// on another level makes no member odd. All p are 1 in a group below kFewestMembers.
std::vector<Oddness> oddness_of(std::span<const Member> members, double floor);

}  // namespace assay::stats
