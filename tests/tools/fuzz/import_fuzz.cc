// Whatever the bytes, importing a run ends in a trace or an Error; what is imported is written so
// that it reads back the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/pattern.h"
#include "ordeal/report.h"
#include "report/export/export.h"
#include "trace/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* format : {"auto", "shiviz", "maelstrom"}) {
    const ordeal::Result<ordeal::Trace> trace = ordeal::import_run(text, {.format = format});
    if (!trace) continue;
    const std::string once = ordeal::to_json(*trace);
    const ordeal::Result<ordeal::Trace> back = ordeal::trace_from_json(once);
    if (!back || ordeal::to_json(*back) != once) std::abort();
    ordeal::report::to_drawing(*trace);
    ordeal::to_svg(*trace);
    if (const auto log = ordeal::report::to_shiviz(*trace); log && !ordeal::import_run(*log)) {
      std::abort();
    }
  }
  const size_t half = size / 2;
  if (const auto pattern = ordeal::Pattern::compile(text.substr(0, half))) {
    uint64_t steps = 1'000'000;
    pattern->search(text.substr(half), 0, steps);
  }
  return 0;
}
