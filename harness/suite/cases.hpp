// Defines and registers conformance cases.
#pragma once

#include <functional>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/suite/expect.hpp"
#include "harness/suite/property.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/tensors.hpp"
#include "harness/text/reach.hpp"

namespace assay {

/// The contracts to which a case applies.
struct Applicability {
  Release since = Release::k1_13;
  Release until = kNewestRelease;
  std::optional<DeviceRules> device_rules;
  std::optional<Deviations> deviations;
  /// An exception with nothing to test; for example, 1.13 has no AMP kernels for CPU.
  std::optional<std::pair<Release, DeviceRules>> except;

  bool admits(const Contract& contract) const;
};

/// The position of a case in the sources, relative to their root if it was compiled in.
struct Place {
  std::string file;
  std::uint32_t line = 0;
};

Place place_of(const std::source_location& where);

struct Case {
  std::string id;                    ///< `amp/unscale/raises_the_flag`
  std::vector<std::string> clauses;  ///< the witnessed clauses
  Applicability applies;
  bool fresh = false;  ///< depends on process-wide state: needs a newly started subject
  bool full = false;   ///< long-running: only with `--full`
  std::function<void(Session&)> body;
  Place where;
  /// What it says itself; nothing: what its clauses say.
  std::optional<Reach> reach = std::nullopt;
  /// Not judged on a platform with one of these properties.
  std::vector<Property> unless = {};
};

/// The case's own, or that of the clause that is furthest from a training: the case may fail by
/// that clause alone.
Reach reach_of(const Case& test);

/// Restricts the case that `conformance` has just registered.
class CaseOptions {
 public:
  explicit CaseOptions(std::size_t index) : index_(index) {}
  CaseOptions& since(Release release);
  CaseOptions& until(Release release);
  CaseOptions& only(DeviceRules rules);
  CaseOptions& only(Deviations deviations);
  CaseOptions& except(Release release, DeviceRules rules);
  CaseOptions& fresh();
  CaseOptions& full();
  /// For a case that goes further than its clauses, or less far.
  CaseOptions& reach(Reach reach);
  CaseOptions& unless(Property property);

 private:
  std::size_t index_;
};

/// Registers a case with the prefix of the enclosing CASES block. The name is a sentence; the id
/// must be unique.
CaseOptions conformance(std::string_view name, std::vector<std::string> clauses,
                        std::function<void(Session&)> body,
                        std::source_location where = std::source_location::current());

/// The same, for contracts with CUDA's device rules.
CaseOptions on_cuda(std::string_view name, std::vector<std::string> clauses,
                    std::function<void(Session&)> body,
                    std::source_location where = std::source_location::current());

/// All registered cases, ordered by id. The first call runs the CASES blocks.
const std::vector<Case>& all_cases();

namespace detail {
bool add_cases(std::string_view prefix, void (*block)());
}

}  // namespace assay

#define ASSAY_JOIN_(left, right) left##right
#define ASSAY_JOIN(left, right) ASSAY_JOIN_(left, right)

/// `CASES("amp/unscale") { conformance(…); conformance(…); }` at namespace scope.
#define CASES(prefix) ASSAY_CASES(prefix, __COUNTER__)
#define ASSAY_CASES(prefix, number)                                     \
  static void ASSAY_JOIN(cases_, number)();                             \
  [[maybe_unused]] static const bool ASSAY_JOIN(cases_added_, number) = \
      ::assay::detail::add_cases(prefix, &ASSAY_JOIN(cases_, number));  \
  static void ASSAY_JOIN(cases_, number)()
