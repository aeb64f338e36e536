// Whatever the bytes, checking a history ends in a verdict or an Error, for every format and model;
// a value in EDN reads back as the value that it is.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "history/edn.h"
#include "history/history_file.h"

namespace {

using ordeal::HistoryOptions;

void require(bool right) {
  if (!right) std::abort();
}

void check(std::string_view text, HistoryOptions options) {
  options.limits.time = {};  // memory alone ends a search: the same input always does the same
  options.limits.memory_bytes = size_t{1} << 20;
  const auto verdict = ordeal::check_history_text("h", text, options);
  if (!verdict) {
    require(!verdict.error().message.empty());
    return;
  }
  require(!ordeal::render(*verdict).empty());
  for (const size_t op : verdict->order) require(op < verdict->operations.size());
  for (const size_t op : verdict->unplaced) require(op < verdict->operations.size());
  require(verdict->verdict != ordeal::LinearVerdict::kNotLinearizable ||
          !verdict->unplaced.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, {});
  HistoryOptions options;
  options.format = ordeal::HistoryFormat::kEtcd;
  check(text, options);
  options.format = ordeal::HistoryFormat::kEdn;
  for (const auto& model : ordeal::history_models()) {
    options.model = model.name;
    options.independent = !options.independent;
    options.nil_is_unknown = options.independent && model.name.ends_with("register");
    check(text, options);
  }

  // Of other characters, those that a terminal must not get are shown as something else.
  bool is_ascii = text.find("\\u") == text.npos;
  for (const char c : text) is_ascii = is_ascii && (c & 0x80) == 0;
  ordeal::edn::Values values;
  ordeal::edn::Reader reader(text, values);
  while (!reader.at_end()) {
    const std::optional<ordeal::edn::Id> value = reader.value();
    if (!value) break;
    const std::string shown = values.show(*value, SIZE_MAX);
    if (is_ascii) require(ordeal::edn::Reader(shown, values).value() == value);
  }
  require(reader.failure() || reader.at_end());
  return 0;
}
