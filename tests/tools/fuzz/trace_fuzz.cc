// Whatever the bytes, reading a trace or a short form ends in a value or an Error; what is read is
// written so that it reads back the same.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "ordeal/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const ordeal::Result<ordeal::Trace> trace = ordeal::trace_from_json(text)) {
    const std::string once = ordeal::to_json(*trace);
    const ordeal::Result<ordeal::Trace> back = ordeal::trace_from_json(once);
    if (!back || ordeal::to_json(*back) != once) std::abort();
    for (const ordeal::TraceStep& step : trace->steps) ordeal::show(step.detail.action);
  }
  if (const ordeal::Result<ordeal::ShortForm> form = ordeal::parse_short_form(text)) {
    ordeal::Trace trace;
    trace.initial = form->initial;
    for (const uint32_t choice : form->choices) trace.steps.emplace_back().choice = choice;
    const ordeal::Result<ordeal::ShortForm> back =
        ordeal::parse_short_form(ordeal::short_form(trace));
    if (!back || back->choices != form->choices || back->initial != form->initial) std::abort();
  }
  return 0;
}
