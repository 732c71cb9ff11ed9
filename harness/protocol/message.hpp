// The two messages of the waist: a command that a subject is given, and the reply that it makes.
#pragma once

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
/// Commands that run in order inside the subject until the first that does not succeed.
using Block = std::vector<Command>;

struct Command {
  /// Absent inside blocks: their replies come in order.
  std::optional<std::int64_t> id;
  /// `area.verb`, or a word that every subject knows: `hello`, `reset`, `scope`, …
  std::string verb;
  Fields with;
  /// The client's name for the `result`; empty for none.
  std::string as;
  /// Ask for `counts` in the reply.
  bool count = false;
  /// Tensors in the reply come as digests of blocks of this many elements; 0: by value.
  std::uint64_t digest = 0;

  Block enter;                                         ///< scope: guards and regions to enter
  Block body;                                          ///< scope, on, callback
  std::vector<std::pair<std::string, Block>> threads;  ///< together
  Block observe;  ///< together: what is looked at after each round
};

/// The closed list of error kinds (CORE-19).
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
/// A descendant satisfies its base: `not_implemented` is an `error`, `type` is not. And where
/// PyTorch has no class of its own (`schema`, `internal`), a plain `error` will do.
bool satisfies(ErrorKind got, ErrorKind wanted);

struct ErrorReply {
  ErrorKind kind = ErrorKind::kError;
  std::string message;
  /// The numeric code of a `device` error, or the area's own word.
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
    kUnsupported,  ///< the subject does not have this area, command or argument
    kInvalid,      ///< the message itself made no sense
  };
  std::optional<std::int64_t> id;
  Status status = Status::kOk;
  Fields ok;
  ErrorReply error;
  /// Why, for `unsupported` and `invalid`.
  std::string reason;
  std::vector<Warning> warnings;
  Fields counts;
  /// Fields of `ok` that this subject cannot see.
  std::vector<std::string> blind;
  /// Of the commands of a block, in order, the failing one last.
  std::vector<Reply> replies;

  bool succeeded() const { return status == Status::kOk; }

  static Reply make_ok(Fields fields = {});
  static Reply make_error(ErrorKind kind, std::string message);
  static Reply make_unsupported(std::string reason);
  static Reply make_invalid(std::string reason);
};

enum class Release : std::uint8_t { k1_13, k2_4, k2_11 };
enum class DeviceRules : std::uint8_t { kCpu, kCuda };
enum class Deviations : std::uint8_t { kStrict, kCompat };

/// What a subject claims to be like; settled by `hello`.
struct Contract {
  Release release = Release::k2_11;
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
std::optional<DeviceRules> device_rules_named(std::string_view name);
std::optional<Deviations> deviations_named(std::string_view name);
/// `2.11/cuda/strict`
std::string to_text(const Contract& contract);

}  // namespace assay
