// Attaches memory to the shared pointer of a storage.
#include "reference/core/tensor/storage_memory.hpp"

#include <utility>

namespace assay::reference {
namespace {

struct MemoryBeforeBytes {
  std::shared_ptr<Storage> bytes;
  std::shared_ptr<StorageMemory> memory;

  void operator()(Storage*) {
    memory.reset();
    bytes.reset();
  }
};

}  // namespace

std::shared_ptr<Storage> with_memory(std::shared_ptr<Storage> storage,
                                     std::unique_ptr<StorageMemory> memory) {
  Storage* pointer = storage.get();
  return {pointer, MemoryBeforeBytes{std::move(storage), std::move(memory)}};
}

StorageMemory* memory_of(const std::shared_ptr<Storage>& storage) {
  const auto* give_back = std::get_deleter<MemoryBeforeBytes>(storage);
  return give_back == nullptr ? nullptr : give_back->memory.get();
}

std::shared_ptr<Storage> bytes_of(const std::shared_ptr<Storage>& storage) {
  const auto* give_back = std::get_deleter<MemoryBeforeBytes>(storage);
  return give_back == nullptr ? storage : give_back->bytes;
}

}  // namespace assay::reference
