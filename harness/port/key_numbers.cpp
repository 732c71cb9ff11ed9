// Leaves numbers of key sets out of replies.
#include "harness/port/key_numbers.hpp"

#include <string>
#include <vector>

namespace assay {
namespace {

bool is_key_number(const std::pair<Value, Value>& item) {
  const std::string* name = item.first.get_if<std::string>();
  return name != nullptr && *name == "keys" && item.second.is<std::int64_t>();
}

Value without_numbers(const Value& ran) {
  const List* calls = ran.get_if<List>();
  if (calls == nullptr) return ran;
  List made;
  for (const Value& call : calls->items) {
    const Dict* described = call.get_if<Dict>();
    if (described == nullptr) {
      made.items.push_back(call);
      continue;
    }
    Dict left = *described;
    std::erase_if(left.items, is_key_number);
    made.items.emplace_back(std::move(left));
  }
  return made;
}

}  // namespace

Reply without_key_numbers(Reply reply) {
  for (const char* field : {"ran", "result"}) {  // result: of dispatch.traced
    const Value* calls = reply.ok.find(field);
    if (calls == nullptr) continue;
    Value left = without_numbers(*calls);
    reply.ok.set(field, std::move(left));
  }
  for (Reply& inner : reply.replies) inner = without_key_numbers(std::move(inner));
  return reply;
}

Reply without_ran(Reply reply) {
  Fields left;
  for (const auto& [name, value] : reply.ok) {
    if (name != "ran") left.set(name, value);
  }
  reply.ok = std::move(left);
  std::erase(reply.blind, "ran");
  for (Reply& inner : reply.replies) inner = without_ran(std::move(inner));
  return reply;
}

}  // namespace assay
