// Checks errors of the driver, including their codes.
#include "harness/suite/device_error.hpp"

namespace assay {

bool has_codes(const Session& subject) {
  return subject.contract().strict() || subject.contract().release >= Release::k2_11;
}

void expect_device_error(Session& subject, const std::function<void()>& action, std::int64_t code,
                         const std::vector<std::string>& tokens, Where where) {
  ErrorReply error;
  const auto watched = [&] {
    try {
      action();
    } catch (const SubjectError& raised) {
      error = raised.error();
      throw;
    }
  };
  expect_error(watched, ErrorKind::kDevice, tokens, where);
  expect_true(error.kind == ErrorKind::kDevice, "the kind is device: " + error.message, where);
  if (has_codes(subject)) expect_equal(error.code.value_or(Value()), code, where);
}

}  // namespace assay
