#include "base/stack.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#if __has_include(<elfutils/libdwfl.h>)
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#define ORDEAL_HAS_LIBDW 1
#endif

namespace ordeal {
namespace {

#ifdef ORDEAL_HAS_LIBDW

// Loaded where it is needed, so that a program that links the engine need not link this, too.
class Library {
 public:
  Library() {
    handle_ = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) return;
    const bool all =
        find(begin, "dwfl_begin") && find(linux_proc_report, "dwfl_linux_proc_report") &&
        find(report_end, "dwfl_report_end") && find(addrmodule, "dwfl_addrmodule") &&
        find(module_info, "dwfl_module_info") && find(module_addrname, "dwfl_module_addrname") &&
        find(module_getsrc, "dwfl_module_getsrc") && find(lineinfo, "dwfl_lineinfo") &&
        find(module_addrdie, "dwfl_module_addrdie") && find(getscopes, "dwarf_getscopes") &&
        find(tag, "dwarf_tag") && find(attr_integrate, "dwarf_attr_integrate") &&
        find(formstring, "dwarf_formstring") && find(find_elf, "dwfl_linux_proc_find_elf") &&
        find(find_debuginfo, "dwfl_standard_find_debuginfo");
    if (!all) handle_ = nullptr;
  }
  bool is_there() const { return handle_ != nullptr; }

  decltype(&dwfl_begin) begin = nullptr;
  decltype(&dwfl_linux_proc_report) linux_proc_report = nullptr;
  decltype(&dwfl_report_end) report_end = nullptr;
  decltype(&dwfl_addrmodule) addrmodule = nullptr;
  decltype(&dwfl_module_info) module_info = nullptr;
  decltype(&dwfl_module_addrname) module_addrname = nullptr;
  decltype(&dwfl_module_getsrc) module_getsrc = nullptr;
  decltype(&dwfl_lineinfo) lineinfo = nullptr;
  decltype(&dwfl_module_addrdie) module_addrdie = nullptr;
  decltype(&dwarf_getscopes) getscopes = nullptr;
  decltype(&dwarf_tag) tag = nullptr;
  decltype(&dwarf_attr_integrate) attr_integrate = nullptr;
  decltype(&dwarf_formstring) formstring = nullptr;
  decltype(&dwfl_linux_proc_find_elf) find_elf = nullptr;
  decltype(&dwfl_standard_find_debuginfo) find_debuginfo = nullptr;

 private:
  template <class F>
  bool find(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(handle_, name));
    return function != nullptr;
  }
  void* handle_ = nullptr;
};

const Library& library() {
  static const Library* const loaded = new Library;
  return *loaded;
}

// "server.cc" of "/home/me/src/server.cc"
std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_library(std::string_view module) {
  const std::string_view name = last_part(module);
  constexpr std::array kKnown = {"libc.so",    "libstdc++.so", "libm.so",    "libgcc_s.so",
                                 "ld-linux",   "libasan.so",   "libtsan.so", "libubsan.so",
                                 "libpthread", "libc++",       "linux-vdso", "[vdso"};
  for (const char* known : kKnown) {
    if (name.starts_with(known)) return true;
  }
  return false;
}

// "Server::on" of what a linker calls it.
std::string function_name(const char* symbol) {
  if (symbol == nullptr) return "";
  int status = 0;
  char* plain = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = plain != nullptr ? plain : symbol;
  std::free(plain);
  constexpr std::string_view kNameless = "(anonymous namespace)::";
  for (size_t at = name.find(kNameless); at != name.npos; at = name.find(kNameless)) {
    name.erase(at, kNameless.size());
  }
  // Compilers split functions into several: "acquire.cold".
  name.resize(std::min({name.find('('), name.find(".cold"), name.size()}));
  return name;
}

class Session {
 public:
  Session() {
    if (!library().is_there()) return;
    static char* no_path = nullptr;
    static const Dwfl_Callbacks callbacks = {library().find_elf, library().find_debuginfo, nullptr,
                                             &no_path};
    dwfl_ = library().begin(&callbacks);
    if (dwfl_ == nullptr) return;
    if (library().linux_proc_report(dwfl_, getpid()) != 0) dwfl_ = nullptr;
    if (dwfl_ == nullptr) return;
    library().report_end(dwfl_, nullptr, nullptr);
    // Where the engine's sources are, in the words of whoever compiled them.
    constexpr std::string_view kSelf = "base/stack.cc";
    const std::string self = line_of(reinterpret_cast<Dwarf_Addr>(&take_stack)).file;
    if (self.ends_with(kSelf)) engine_ = self.substr(0, self.size() - kSelf.size());
  }

  // "": no frame of the user's.
  std::string place(const void* pc) {
    const auto [at, is_new] = known_.try_emplace(pc);
    if (is_new && dwfl_ != nullptr) at->second = look_up(pc);
    return at->second;
  }

 private:
  struct Line {
    std::string file;  // "": unknown
    int number = 0;
  };

  Line line_of(Dwarf_Addr address) const {
    Line out;
    Dwfl_Module* module = library().addrmodule(dwfl_, address);
    Dwfl_Line* line = module == nullptr ? nullptr : library().module_getsrc(module, address);
    if (line == nullptr) return out;
    const char* file = library().lineinfo(line, nullptr, &out.number, nullptr, nullptr, nullptr);
    if (file == nullptr || out.number == 0) return out;
    out.file = std::filesystem::path(file).lexically_normal().string();
    return out;
  }

  bool is_engine(const std::string& file) const {
    if (file.find("/include/ordeal/") != file.npos) return true;
    return !engine_.empty() && file.starts_with(engine_) && !file.ends_with("_test.cc");
  }

  // The function that was inlined there, or that the address is in.
  std::string function_at(Dwfl_Module* module, Dwarf_Addr address) const {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = library().module_addrdie(module, address, &bias);
    Dwarf_Die* scopes = nullptr;
    const int count = unit == nullptr ? 0 : library().getscopes(unit, address - bias, &scopes);
    std::string out;
    for (int i = 0; i < count; ++i) {
      const int tag = library().tag(&scopes[i]);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      Dwarf_Attribute name;
      if (library().attr_integrate(&scopes[i], DW_AT_linkage_name, &name) != nullptr) {
        out = function_name(library().formstring(&name));
      }
      break;
    }
    std::free(scopes);
    return out.empty() ? function_name(library().module_addrname(module, address)) : out;
  }

  std::string look_up(const void* pc) const {
    const auto address = reinterpret_cast<Dwarf_Addr>(pc);
    Dwfl_Module* module = library().addrmodule(dwfl_, address);
    if (module == nullptr) return "";
    const char* file = library().module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr,
                                             nullptr, nullptr);
    if (file != nullptr && is_library(file)) return "";
    const std::string name = function_at(module, address);
    const Line line = line_of(address);
    if (line.file.empty()) {
      const bool engine = name.empty() || name.starts_with("ordeal::") || name[0] == '_' ||
                          name.find("ordeal::detail::") != name.npos;
      return engine ? "" : " in " + name;
    }
    if (is_engine(line.file) || line.file.find("/include/c++/") != line.file.npos) return "";
    std::string out =
        " at " + std::string(last_part(line.file)) + ":" + std::to_string(line.number);
    // What is inlined into a template of the engine's goes by that one's name.
    const bool engines = name.find("ordeal::detail::") != name.npos ||
                         (name.starts_with("ordeal::") && name.find('<') != name.npos);
    if (!name.empty() && !engines) out += " (" + name + ")";
    return out;
  }

  Dwfl* dwfl_ = nullptr;
  std::string engine_;
  std::map<const void*, std::string> known_;
};

#endif

}  // namespace

void prepare_stacks() {
  // The first call loads a library.
  Stack unused;
  take_stack(nullptr, unused);
}

void take_stack(const void* pc, Stack& out) {
  out.count = backtrace(out.frames, Stack::kMost);
  out.exact = false;
  for (int i = 0; i < out.count && pc != nullptr; ++i) {
    if (out.frames[i] != pc) continue;
    for (int k = i; k < out.count; ++k) out.frames[k - i] = out.frames[k];
    out.count -= i;
    out.exact = true;
    return;
  }
}

#ifdef ORDEAL_HAS_LIBDW

std::string place_of(const Stack& stack) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static Session* const session = new Session;
  for (int i = 0; i < stack.count; ++i) {
    // An address to return to is behind the call.
    const auto* pc = static_cast<const char*>(stack.frames[i]);
    std::string place = session->place(i == 0 && stack.exact ? pc : pc - 1);
    if (!place.empty()) return place;
  }
  return "";
}

std::string why_no_places() {
  return library().is_there() ? "" : "libdw (elfutils) is not installed";
}

#else

std::string place_of(const Stack&) { return ""; }
std::string why_no_places() { return "built without libdw (elfutils)"; }

#endif

std::string_view without_place(std::string_view failure) {
  for (const std::string_view end :
       {") at ", ") in ", " s of processor time at ", " s of processor time in "}) {
    const size_t at = failure.rfind(end);
    if (at == failure.npos) continue;
    const bool signal = end[0] == ')';
    const std::string_view before = failure.substr(0, at);
    if (signal && before.rfind("(SIG") == before.npos && before.rfind("called ") == before.npos) {
      continue;
    }
    return failure.substr(0, at + end.size() - 4);
  }
  return failure;
}

}  // namespace ordeal
