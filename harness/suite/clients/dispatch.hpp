// The typed client of the area dispatch: keys, schemas, registration and calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include <waist/calls/dispatch.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

class DispatchObject : public NamedObject {
 public:
  using NamedObject::NamedObject;
};

struct KeyLists {
  std::vector<std::string> backends;
  std::vector<std::string> functionalities;  ///< `Undefined` first
  std::vector<std::string> per_backend;
  std::vector<std::string> aliases;
  Reported<std::int64_t> slots = {};
  Reported<KeyBits> full = {};
};

struct KeyInfo {
  std::string kind;
  Reported<std::optional<std::int64_t>> slot;
  KeyBits set = 0;
  Reported<std::optional<std::string>> autograd;
};

struct SetInfo {
  KeyBits set = 0;
  bool empty = false;
  std::string highest;
  Reported<std::int64_t> slot = {};
  std::vector<std::string> keys;
  std::string text;
  Reported<std::string> backend_key;
};

struct TlsSets {
  KeyBits included = 0;
  KeyBits excluded = 0;
};

/// An argument or a return value of a schema.
struct SchemaArgumentInfo {
  std::string name;
  std::string type;
  std::optional<std::int64_t> size;  ///< the N of `int[N]`
  std::optional<Value> default_value;
  bool kwarg_only = false;
  Value alias;  ///< None, or a result of `alias_of`
};

/// An alias annotation in the form of replies.
Value alias_of(bool write, std::vector<std::string> before, std::vector<std::string> after,
               Value contained = {});

/// A parsed schema; if only a name was parsed, only the first three members are set.
struct ParsedSchema {
  std::string text;
  std::string name;
  std::string overload;
  std::vector<SchemaArgumentInfo> arguments;
  std::vector<SchemaArgumentInfo> returns;
  bool vararg = false;
  bool varret = false;
  bool is_mutable = false;
};

/// The parameters of a kernel's behaviour; `label` is the kernel's name in `ran`.
struct KernelOptions {
  std::string behaviour = "return";
  std::optional<std::string> label = {};
  std::optional<std::string> signature = {};
  std::optional<std::int64_t> argument = {};
  std::optional<std::vector<Value>> values = {};
  std::optional<KeySet> keys = {};
  std::optional<std::string> kind = {};
  std::optional<std::string> message = {};
  std::optional<Callable> call = {};
  std::optional<bool> takes_keys = {};
};

struct ImplOptions {
  std::optional<std::string> key = {};
  std::optional<std::string> device = {};
  std::optional<Value> library = {};
  std::optional<std::string> at = {};
};

struct EntryOptions {
  std::string func;
  std::optional<std::string> variants = {};
  std::vector<std::pair<std::string, std::string>> dispatch = {};  ///< keys to kernel names
  std::optional<bool> structured = {};
  std::optional<std::string> structured_delegate = {};
  std::optional<std::string> device_check = {};
};

struct Entry {
  DispatchObject registrations;
  std::vector<std::string> ops;  ///< `op@key`
};

struct CallOptions {
  std::optional<std::string> signature = {};
  std::optional<bool> boxed = {};
  std::optional<std::string> for_key = {};
  std::optional<KeySet> keys = {};
  std::optional<std::vector<Value>> below = {};
  std::optional<Value> stack = {};  ///< a boxed list that serves as the stack
  std::optional<std::int64_t> depth = {};
  std::string as = {};
};

/// A kernel that ran. For the runtime's own kernels a subject may report only their
/// arguments.
struct RanKernel {
  Reported<std::string> kernel;
  std::string op;
  Reported<std::string> key;
  Reported<KeyBits> keys = {};
  Reported<bool> boxed = {};
  std::vector<Value> arguments;
};

struct Called {
  Value result;
  std::vector<RanKernel> ran;
  std::vector<Value> stack;
  Reported<bool> shows_own = Reported<bool>(true);  ///< `ran` includes the runtime's own kernels

  /// The labels of the kernels that ran, separated by spaces.
  std::string labels() const;
};

/// An event reported to an observer.
struct Observed {
  std::string event;
  std::string op;
  std::int64_t sequence = 0;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  bool schema = false;
};

class DispatchClient : public DispatchClientCalls {
 public:
  using DispatchClientCalls::DispatchClientCalls;

  KeyLists keys() const;
  KeyInfo key(const std::string& key) const;
  SetInfo set(const KeySet& set) const;
  SetInfo set(const KeySet& set, const std::string& operation, const Value& operand) const;
  bool has(const KeySet& set, const std::string& key) const;
  bool has_all(const KeySet& set, const KeySet& all) const;
  bool has_any(const KeySet& set, const KeySet& any) const;

  TlsSets tls() const;
  /// Saves a snapshot with that name.
  void thread_state(const std::string& name) const;
  void leave(const Value& guard) const;

  /// `as` is `schema`, `name` or `either`.
  ParsedSchema parse(const std::string& text, const std::string& as = "schema") const;

  DispatchObject kernel(const KernelOptions& options) const;
  DispatchObject impl(const Value& op, const Value& kernel, const ImplOptions& options = {}) const;
  DispatchObject fallback(const Value& kernel, const ImplOptions& options = {}) const;
  Entry entry(const EntryOptions& options) const;

  Called call(const Value& op, std::vector<Value> args, const CallOptions& options = {}) const;
  std::vector<RanKernel> traced(const Value& trace) const;

  bool has_kernel(const Value& op, const std::string& key) const;
  bool has_computed_kernel(const Value& op, const std::string& key) const;
  bool has_any_kernel(const Value& op, const KeySet& keys) const;

  std::vector<std::string> heard(const Value& listener) const;
  std::vector<Observed> observed(const Value& observer) const;
};

/// Reads the list `ran` of a reply.
std::vector<RanKernel> ran_from(const Value& list);
/// Reads the reply of `dispatch.call`.
Called called_from(const Reply& reply);

}  // namespace assay
