// Area dispatch: native entries (DSP-422).
#include "reference/dispatch/registry/native_entry.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {
namespace {

/// `CPU, CUDA` consists of two keys.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string word = text.substr(begin, end - begin);
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    words.push_back(std::move(word));
    begin = end + 1;
  }
  return words;
}

void read_dispatch(Call& call, NativeEntry& entry) {
  if (!call.has("dispatch")) return;
  const auto* dict = call.arguments().value("dispatch").get_if<Dict>();
  if (dict == nullptr) throw InvalidArgument("dispatch.entry: 'dispatch' must be a dict");
  for (const auto& [keys, kernel] : dict->items) {
    const auto* texts = keys.get_if<std::string>();
    const auto* name = kernel.get_if<std::string>();
    if (texts == nullptr || name == nullptr) {
      throw InvalidArgument("dispatch.entry: 'dispatch' maps texts to texts");
    }
    for (const std::string& key : words_of(*texts)) {
      entry.dispatch.emplace_back(key_from(call, key), *name);
    }
  }
}

void expect_variants(const std::string& variants) {
  for (const std::string& word : words_of(variants)) {
    if (word == "function" || word == "method") continue;
    throw InvalidArgument("dispatch.entry: there is no variant '" + word + "'");
  }
}

}  // namespace

void dispatch_entry(Call& call) {
  NativeEntry entry;
  entry.func = call.arguments().text("func");
  entry.structured = call.arguments().boolean("structured", false);
  entry.structured_delegate = call.arguments().text("structured_delegate", "");
  entry.device_check = call.arguments().text("device_check", "ExactSame") != "NoCheck";
  expect_variants(call.arguments().text("variants", "function"));
  read_dispatch(call, entry);

  auto made = std::make_shared<NativeOperator>(register_entry(dispatcher_of(call), entry));
  List ops;
  for (const std::string& op : made->ops) ops.items.emplace_back(op);
  call.set("ops", std::move(ops));
  call.result(Object(std::move(made), "registrations"));
}

}  // namespace assay::reference
