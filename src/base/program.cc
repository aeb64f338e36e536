#include "base/program.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace ordeal {
namespace {

bool is_system(std::string_view path) {
  return path.starts_with("/lib") || path.starts_with("/usr/lib") || path.starts_with("linux-");
}

// The linker's hash of all that it has put into an object. Empty: it left none.
std::string_view build_id(const dl_phdr_info& object) {
  for (size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    const char* const end = at + segment.p_memsz;
    const auto padded = [](size_t size) { return (size + 3) & ~size_t{3}; };
    while (static_cast<size_t>(end - at) > sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* const name = at + sizeof note;
      const char* const content = name + padded(note.n_namesz);
      if (content + padded(note.n_descsz) > end) break;
      if (note.n_type == NT_GNU_BUILD_ID &&
          std::string_view(name, note.n_namesz).starts_with("GNU"))
        return {content, note.n_descsz};
      at = content + padded(note.n_descsz);
    }
  }
  return {};
}

void add_file(const char* path, detail::Hasher& out) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "rb"), &std::fclose);
  if (file == nullptr) return;
  std::vector<char> buffer(1 << 20);
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get())) {
    out.bytes(buffer.data(), got);
    out.word(got);
  }
}

int add_object(dl_phdr_info* object, size_t, void* hasher) {
  detail::Hasher& out = *static_cast<detail::Hasher*>(hasher);
  const std::string_view path = object->dlpi_name;  // empty: the program itself
  if (is_system(path)) return 0;
  const std::string_view id = build_id(*object);
  if (id.empty()) {
    add_file(path.empty() ? "/proc/self/exe" : object->dlpi_name, out);
  } else {
    out.bytes(id.data(), id.size());
    out.word(id.size());
  }
  return 0;
}

}  // namespace

std::string program_identity() {
  static const std::string known = [] {
    detail::Hasher hasher;
    dl_iterate_phdr(&add_object, &hasher);
    return fmt::format("{:016x}", hasher.finish());
  }();
  return known;
}

}  // namespace ordeal
