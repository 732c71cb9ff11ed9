// Reads the symbol table of the running program, an ELF file.
#include "cuda_impl/on_cpu/kernels/symbols.hpp"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <vector>

namespace assay::cuda::on_cpu {
namespace {

/// How far from the addresses in its file the program was loaded. It is the first of the objects.
std::uintptr_t load_bias() {
  std::uintptr_t bias = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* program, std::size_t, void* result) {
        *static_cast<std::uintptr_t*>(result) = program->dlpi_addr;
        return 1;
      },
      &bias);
  return bias;
}

template <typename T>
std::vector<T> read(std::ifstream& file, std::uint64_t offset, std::uint64_t count) {
  std::vector<T> values(count);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(values.data()),
            static_cast<std::streamsize>(count * sizeof(T)));
  if (!file) values.clear();
  return values;
}

using Symbols = std::map<std::uintptr_t, Symbol>;

bool is_named(const Elf64_Sym& symbol) {
  const auto type = ELF64_ST_TYPE(symbol.st_info);
  return symbol.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_OBJECT);
}

Symbols read_symbols() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  Symbols symbols;
  const auto header = read<Elf64_Ehdr>(file, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return symbols;
  const auto sections = read<Elf64_Shdr>(file, header[0].e_shoff, header[0].e_shnum);
  const std::uintptr_t bias = load_bias();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& strings = sections[section.sh_link];
    const auto names = read<char>(file, strings.sh_offset, strings.sh_size);
    const auto entries =
        read<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
    for (const Elf64_Sym& entry : entries) {
      if (!is_named(entry) || entry.st_name >= names.size()) continue;
      symbols[bias + entry.st_value] = {&names[entry.st_name], entry.st_size};
    }
  }
  return symbols;
}

}  // namespace

std::optional<Symbol> symbol_at(const void* address) {
  static const Symbols symbols = read_symbols();
  const auto found = symbols.find(reinterpret_cast<std::uintptr_t>(address));
  return found == symbols.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace assay::cuda::on_cpu
