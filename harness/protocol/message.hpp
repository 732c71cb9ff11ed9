// The two messages of the protocol: a command to a subject, and its reply.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/value.hpp"

namespace assay {

inline constexpr int kProtocolVersion = 1;

struct Command;
/// Commands that the subject runs in order until one does not succeed.
using Block = std::vector<Command>;

struct Command {
  /// Absent inside blocks, whose replies are in order.
  std::optional<std::int64_t> id;
  /// `area.verb`, or a common command: `hello`, `reset`, `scope`, …
  std::string verb;
  Fields with;
  /// The client's name for the `result`; empty if it is not named.
  std::string as;
  /// Requests `counts` in the reply.
  bool count = false;
  /// If not 0, tensors in the reply are digests of blocks with this many elements; 0: values.
  std::uint64_t digest = 0;

  Block enter;                                         ///< scope: guards and regions to enter
  Block body;                                          ///< scope, on, callback
  std::vector<std::pair<std::string, Block>> threads;  ///< together
  Block observe;  ///< together: commands observed after each round
};

/// The complete list of error kinds (CORE-19).
enum class ErrorKind : std::uint8_t {
  kError,
  kNotImplemented,
  kInternal,
  kSchema,
  kDevice,
  kOutOfMemory,
  kType,
  kValue,
  kIndex,
  kKey,
  kAttribute,
  kAssertion,
};

std::string_view name_of(ErrorKind kind);
std::optional<ErrorKind> error_kind_named(std::string_view name);
/// A derived kind satisfies its base: `not_implemented` is an `error`, `type` is not. For kinds
/// without a class of their own in PyTorch (`schema`, `internal`), a plain `error` is sufficient.
bool satisfies(ErrorKind got, ErrorKind wanted);

struct ErrorReply {
  ErrorKind kind = ErrorKind::kError;
  std::string message;
  /// The numeric code of a `device` error, or a code defined by the area.
  std::optional<Value> code;
};

struct Warning {
  std::string category;
  std::string text;
  bool operator==(const Warning&) const = default;
};

struct Reply {
  enum class Status : std::uint8_t {
    kOk,
    kError,        ///< the runtime raised
    kUnsupported,  ///< the area, command or argument is not supported
    kInvalid,      ///< the message itself is invalid
  };
  std::optional<std::int64_t> id;
  Status status = Status::kOk;
  Fields ok;
  ErrorReply error;
  /// The reason of `unsupported` and `invalid`.
  std::string reason;
  std::vector<Warning> warnings;
  Fields counts;
  /// Fields of `ok` that this subject cannot observe.
  std::vector<std::string> blind;
  /// The replies to the commands of a block, in order; a failing one is the last.
  std::vector<Reply> replies;

  bool succeeded() const { return status == Status::kOk; }

  static Reply make_ok(Fields fields = {});
  static Reply make_error(ErrorKind kind, std::string message);
  static Reply make_unsupported(std::string reason);
  static Reply make_invalid(std::string reason);
};

enum class Release : std::uint8_t { k1_13, k2_4, k2_11, k2_12, k2_13, k2_14, k2_15 };
inline constexpr std::array kReleases = {Release::k1_13, Release::k2_4,  Release::k2_11,
                                         Release::k2_12, Release::k2_13, Release::k2_14,
                                         Release::k2_15};
inline constexpr Release kNewestRelease = kReleases.back();
enum class DeviceRules : std::uint8_t { kCpu, kCuda };
enum class Deviations : std::uint8_t { kStrict, kCompat };

/// What a subject claims to implement; determined by `hello`.
struct Contract {
  Release release = kNewestRelease;
  DeviceRules device_rules = DeviceRules::kCuda;
  Deviations deviations = Deviations::kStrict;
  bool operator==(const Contract&) const = default;

  bool cuda() const { return device_rules == DeviceRules::kCuda; }
  bool strict() const { return deviations == Deviations::kStrict; }
};

std::string_view name_of(Release release);
std::string_view name_of(DeviceRules rules);
std::string_view name_of(Deviations deviations);
std::optional<Release> release_named(std::string_view name);
/// `1.13`, `2.4`, …: oldest first.
std::vector<std::string> release_names();
std::optional<DeviceRules> device_rules_named(std::string_view name);
std::optional<Deviations> deviations_named(std::string_view name);
/// `2.11/cuda/strict`
std::string to_text(const Contract& contract);

}  // namespace assay
