// The objects that a litmus program needs on a subject: streams, locations, host buffers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/check/litmus.hpp"
#include "harness/suite/session.hpp"

namespace assay {

/// The contents of a host buffer or a location: one int64.
TensorValue host_word(std::int64_t value);

class LitmusObjects {
 public:
  /// Throws Unsupported if the subject lacks a device or a command, litmus::BadProgram if a
  /// location is used on two devices.
  LitmusObjects(Session& session, const litmus::Program& program);
  /// Frees the objects as far as possible; the session may be broken.
  ~LitmusObjects();
  LitmusObjects(const LitmusObjects&) = delete;
  LitmusObjects& operator=(const LitmusObjects&) = delete;

  Ref stream(const std::string& name) const { return Ref{streams_.at(name).name}; }
  Ref default_stream(int device) const { return Ref{defaults_.at(device)}; }
  Ref location(const std::string& name) const { return Ref{locations_.at(name)}; }
  Ref buffer(const std::string& name) const { return Ref{buffers_.at(name)}; }
  const std::set<std::string>& events() const { return events_; }

  /// Resets all memory to its initial contents, and waits for completion.
  Block clear() const;
  Block wait_for_all() const;

 private:
  struct MadeStream {
    std::string name;
    Device device;
    std::int64_t id = 0;
    std::int64_t handle = 0;  ///< for a raw stream; otherwise 0
  };

  void look_at(const litmus::Operation& operation);
  void make(const litmus::Stream& stream);
  MadeStream make_another_name(const litmus::Stream& stream, const MadeStream& other);
  MadeStream next_of_the_pool(const litmus::Stream& stream, const MadeStream& other);
  MadeStream sent(std::string verb, Fields with, const Device& device);
  void make_memory();
  void warm_up();

  Session& session_;
  litmus::Program program_;
  std::map<std::string, litmus::Stream> wanted_;
  std::map<std::string, litmus::Stream> aliases_;
  std::map<std::string, litmus::Stream> users_;  ///< the first stream that uses each location
  std::set<int> devices_;
  std::set<std::string> events_;
  std::map<std::string, MadeStream> streams_;
  std::map<int, std::string> defaults_;  ///< by device
  std::map<std::string, std::string> locations_;
  std::map<std::string, std::string> buffers_;
  std::map<std::string, std::int64_t> first_contents_;  ///< for buffers
  std::vector<std::string> names_;                      ///< dropped in reverse order
  std::set<std::string> raw_;
};

}  // namespace assay
