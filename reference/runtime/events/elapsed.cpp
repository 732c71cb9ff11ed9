// Checks before the elapsed time of generic events (EVT-018, EVT-020).
#include "reference/core/types/error.hpp"
#include "reference/runtime/events/checks.hpp"
#include "reference/runtime/events/generic.hpp"

namespace assay::reference {

void Event::check_elapsed_of_2_4(const Event& other) const {
  check(other.recorded_, [] { return "other was not marked for recording."; });
  check(recorded_, [] { return "self was not marked for recording."; });
}

void Event::check_elapsed(const Event& other) const {
  const Contract& contract = runtime_->contract();
  check(contract.release != Release::k1_13, ErrorKind::kNotImplemented,
        [] { return "generic events have no time between them in 1.13"; });
  const bool is_old = contract.release == Release::k2_4;
  const bool has_record = recorded_ && other.recorded_;
  if (is_old) check_elapsed_of_2_4(other);
  check(type_ == other.type_, [&] {
    return "Event device type " + upper_name_of(type_, contract.release) +
           " does not match other's device type " + upper_name_of(other.type_, contract.release) +
           ".";
  });
  if (!is_old) {
    check_timing(has_timing() && other.has_timing());
    check_recorded(has_record, ErrorKind::kValue);
  }
  check_one_device(contract, index_, other.index_);
  if (!is_old) check_complete(query() && other.query());
}

double Event::elapsed_ms(const Event& other) const {
  check_elapsed(other);
  return backend_->elapsed_ms(handle_, other.handle_, index_);
}

}  // namespace assay::reference
