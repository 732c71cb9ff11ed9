// The messages of device errors (FLT-005).
#include <regex>

#include "suites/runtime/faults/failing.hpp"

namespace assay::suites {
namespace {

struct ExpectedMessage {
  std::int64_t code;
  const char* text;
  const char* name;
};

// V-92
const std::vector<ExpectedMessage> kPerCall = {
    {1, "invalid argument", "cudaErrorInvalidValue"},
    {9, "invalid configuration argument", "cudaErrorInvalidConfiguration"},
    {400, "invalid resource handle", "cudaErrorInvalidResourceHandle"},
    {2, "out of memory", "cudaErrorMemoryAllocation"},
    {600, "device not ready", "cudaErrorNotReady"},
};

const std::vector<ExpectedMessage> kAsynchronous = {
    {700, "an illegal memory access was encountered", "cudaErrorIllegalAddress"},
    {710, "device-side assert triggered", "cudaErrorAssert"},
    {719, "unspecified launch failure", "cudaErrorLaunchFailure"},
};

std::string message_of(Session& subject, std::int64_t code) {
  fail_next(subject, "get_device", code);
  expect_device_error(
      subject, [&] { subject.runtime().checked({.call = "get_device", .how = "throw"}); }, code);
  return subject.history().back().reply.error.message;
}

void expect_said(const std::string& message, const std::vector<std::string>& parts,
                 Where where = Where::current()) {
  for (const std::string& part : parts) {
    expect_true(message.find(part) != std::string::npos, "'" + part + "' in: " + message, where);
  }
}

void expect_not_said(const std::string& message, const std::string& part,
                     Where where = Where::current()) {
  expect_true(message.find(part) == std::string::npos, "no '" + part + "' in: " + message, where);
}

const char* const kElsewhere = "errors might be asynchronously reported at some other API call";

}  // namespace

CASES("runtime/messages") {
  on_cuda("each_code_has_its_text", {"FLT-005"}, [](Session& subject) {
    for (const auto& [code, text, name] : kPerCall) {
      expect_said(message_of(subject, code), {"CUDA error: " + std::string(text)});
    }
  });

  for (const ExpectedMessage& said : kAsynchronous) {
    on_cuda("code_" + std::to_string(said.code) + "_may_come_from_elsewhere", {"FLT-005"},
            [said](Session& subject) {
              expect_said(message_of(subject, said.code), {"CUDA error: " + std::string(said.text),
                                                           kElsewhere, "CUDA_LAUNCH_BLOCKING=1"});
            })
        .fresh();
  }

  on_cuda("a_code_of_one_call_points_to_the_log", {"FLT-005"}, [](Session& subject) {
    const std::string message = message_of(subject, 1);

    expect_said(message, {"CUDA_LOG_FILE=stderr"});
    expect_not_said(message, kElsewhere);
  }).since(Release::k2_11);

  on_cuda("before_every_code_might_come_from_elsewhere", {"FLT-005"}, [](Session& subject) {
    expect_said(message_of(subject, 1), {kElsewhere, "CUDA_LAUNCH_BLOCKING=1"});
  }).until(Release::k2_4);

  on_cuda("a_message_says_where_to_look_the_code_up", {"FLT-005"}, [](Session& subject) {
    for (const auto& [code, text, name] : kPerCall) {
      expect_said(message_of(subject, code), {"Search for `" + std::string(name) + "'"});
    }
  }).since(Release::k2_11);

  on_cuda("a_message_says_where_the_call_stands", {"FLT-005"}, [](Session& subject) {
    const std::string message = message_of(subject, 1);

    const std::regex place("[A-Za-z_]+\\.[a-z]+:[0-9]+");
    expect_true(std::regex_search(message, place), "a file and a line in: " + message);
  }).only(Deviations::kStrict);

  on_cuda("a_device_out_of_range_is_asked_about", {"FLT-005", "FLT-009"}, [](Session& subject) {
    expect_said(
        message_of(subject, 101),
        {"invalid device ordinal", "GPU device may be out of range, do you have enough GPUs?"});
  }).since(Release::k2_11);

  on_cuda("earlier_releases_have_no_line_of_help", {"FLT-005"}, [](Session& subject) {
    expect_not_said(message_of(subject, 101), "do you have enough GPUs");
    expect_not_said(message_of(subject, 1), "Search for `");
  }).until(Release::k2_4);
}

}  // namespace assay::suites
