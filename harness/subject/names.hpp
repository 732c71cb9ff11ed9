// The client's names of a subject's objects: bound once, found by name or by identity,
// thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "harness/subject/arguments.hpp"

namespace assay {

/// `Object` is the subject's type of objects: a shared pointer, or a variant of them. A free
/// function `const void* identity_of(const Object&)`, found by argument-dependent lookup,
/// identifies an object.
template <typename Object>
class NameTable {
 public:
  /// Throws InvalidArgument if the name is in use. An object may have several names; the first is
  /// its name in replies.
  void bind(const std::string& name, Object object) {
    const std::scoped_lock lock(mutex_);
    const auto [where, is_new] = objects_.emplace(name, std::move(object));
    if (!is_new) throw InvalidArgument("the name '" + name + "' is already bound");
    names_.emplace(identity_of(where->second), name);
  }

  /// Throws InvalidArgument if the name is unknown.
  Object get(const std::string& name) const {
    const std::scoped_lock lock(mutex_);
    const auto found = objects_.find(name);
    if (found == objects_.end()) throw InvalidArgument("nothing is named '" + name + "'");
    return found->second;
  }

  bool has(const std::string& name) const {
    const std::scoped_lock lock(mutex_);
    return objects_.contains(name);
  }

  /// Returns the object, so that its destructor runs outside the lock.
  Object drop(const std::string& name) {
    const std::scoped_lock lock(mutex_);
    const auto found = objects_.find(name);
    if (found == objects_.end()) throw InvalidArgument("nothing is named '" + name + "'");
    Object object = std::move(found->second);
    objects_.erase(found);
    const auto [begin, end] = names_.equal_range(identity_of(object));
    for (auto at = begin; at != end; ++at) {
      if (at->second != name) continue;
      names_.erase(at);
      break;
    }
    return object;
  }

  std::optional<std::string> name_of(const void* identity) const {
    const std::scoped_lock lock(mutex_);
    const auto found = names_.find(identity);
    if (found == names_.end()) return std::nullopt;
    return found->second;
  }

  /// The number of names of this object.
  std::size_t names_of(const void* identity) const {
    const std::scoped_lock lock(mutex_);
    return names_.count(identity);
  }

  /// The total number of names.
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return objects_.size();
  }

  /// Removes and returns all objects, to be destroyed outside the lock.
  std::map<std::string, Object> clear() {
    const std::scoped_lock lock(mutex_);
    names_.clear();
    return std::exchange(objects_, {});
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Object> objects_;
  std::multimap<const void*, std::string> names_;
};

}  // namespace assay
