// IOUtils and CSV.
#include <algorithm>
#include <cstring>

#include "language/tla/library/files.h"
#include "language/tla/library/modules.h"

extern char** environ;

namespace ordeal::tla {
namespace {

Value environment(BuiltinCall& call) {
  std::vector<Value> names;
  std::vector<Value> values;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const char* const sign = std::strchr(*at, '=');
    if (sign == nullptr) continue;
    const Value name = string_value(std::string_view(*at, static_cast<size_t>(sign - *at)));
    if (std::any_of(names.begin(), names.end(), [&](Value other) { return same(other, name); })) {
      continue;
    }
    names.push_back(name);
    values.push_back(string_value(sign + 1));
  }
  return make_record(call.heap(), names, values);
}

Value text_to_integer(BuiltinCall& call) {
  const std::string& text = need_string(call, "atoi", 0);
  const bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const std::string digits = text.substr(sign ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos) {
    fail_argument(call, "atoi", 0, "a string of digits");
  }
  // A number that begins with 0 would be octal.
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  const BigInt number(digits.substr(first));
  return integer(call.heap(), text[0] == '-' ? BigInt(-number) : number);
}

Value padded(BuiltinCall& call) {
  const std::string text = plain_text(call[0]);
  const int64_t width = need_number(call, "zeroPadN", 1);
  constexpr int64_t kWidest = 1 << 20;
  if (width > kWidest) fail_argument(call, "zeroPadN", 1, "a width of at most 1048576");
  const auto missing = std::max<int64_t>(width - static_cast<int64_t>(text.size()), 0);
  return string_value(std::string(static_cast<size_t>(missing), '0') + text);
}

template <size_t kName>
Value no_programs(BuiltinCall&) {
  static constexpr const char* kNames[] = {"IOExec", "IOEnvExec", "IOExecTemplate",
                                           "IOEnvExecTemplate"};
  fail(std::string(kNames[kName]) +
       " would run another program: a specification may read files here, and run nothing");
}

// What running a program gives, and reading and writing texts.
Value outcome(Heap& heap, int exit, const std::string& out, const std::string& error) {
  const Value names[] = {string_value("exitValue"), string_value("stderr"), string_value("stdout")};
  const Value values[] = {Value::small(exit), string_value(error), string_value(out)};
  return make_record(heap, names, values);
}

Value option(BuiltinCall& call, std::string_view name, size_t at, const char* which) {
  const Object* const options = need_function(call, name, at);
  const Value key = string_value(which);
  const Value value = options->kind == ObjectKind::kFunction && options->keys->item(0).is_string()
                          ? find_item(call.heap(), options, key)
                          : Value();
  if (!value.defined()) {
    fail_argument(call, name, at, "a record with the field " + std::string(which));
  }
  return value;
}

void need_text_format(BuiltinCall& call, std::string_view name, size_t at) {
  const Value format = option(call, name, at, "format");
  if (!format.is_string() || atom_text(format.atom()) != "TXT") {
    fail(std::string(name) + " knows the format \"TXT\", not " + to_text(format));
  }
}

Value serialize_text(BuiltinCall& call) {
  need_text_format(call, "Serialize", 2);
  const Value ways = option(call, "Serialize", 2, "openOptions");
  Writing how = Writing::kAnew;
  if (is_function(ways)) {
    for (const Value way : normal_function(call.heap(), ways)->items()) {
      if (way.is_string() && atom_text(way.atom()) == "APPEND") how = Writing::kAppended;
    }
  }
  const std::string why = try_write(call, "Serialize", 1, need_string(call, "Serialize", 0), how);
  return why.empty() ? outcome(call.heap(), 0, "Finish writing to the file with success!", "")
                     : outcome(call.heap(), 1, "", "Serialize error writing to the file: " + why);
}

Value deserialize_text(BuiltinCall& call) {
  need_text_format(call, "Deserialize", 1);
  const std::optional<std::string> text = text_of_file(call, "Deserialize", 0);
  if (text) return outcome(call.heap(), 0, *text, "");
  return outcome(call.heap(), 1, "",
                 "Deserialize error reading from the file: there is no file " +
                     file_to_read(call, "Deserialize", 0));
}

Value serialize_value(BuiltinCall& call) {
  need_boolean(call, "IOSerialize", 2);
  write(call, "IOSerialize", 1, to_text(deep_normal(call.heap(), call[0])) + "\n", Writing::kAnew);
  return kTrue;
}

Value deserialize_value(BuiltinCall& call) {
  need_boolean(call, "IODeserialize", 1);
  const std::string text = need_text_of_file(call, "IODeserialize", 0);
  return value_of_text(call.heap(), file_to_read(call, "IODeserialize", 0), text);
}

// --- CSV -----------------------------------------------------------------------------------------

// %s the next, %2$s the second; %% and %n.
std::string filled_in(const std::string& form, const std::vector<std::string>& texts) {
  std::string out;
  size_t next = 0;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '%') {
      out += form[i];
      continue;
    }
    size_t end = i + 1;
    size_t number = 0;
    while (end < form.size() && form[end] >= '0' && form[end] <= '9' && end < i + 8) {
      number = number * 10 + static_cast<size_t>(form[end++] - '0');
    }
    const bool numbered = number > 0 && end < form.size() && form[end] == '$';
    if (numbered) ++end;
    const char what = end < form.size() && (numbered || end == i + 1) ? form[end] : '\0';
    if (what == 's') {
      const size_t which = numbered ? number - 1 : next++;
      if (which >= texts.size()) {
        fail("the first argument of CSVWrite, \"" + form + "\", asks for more values than the " +
             std::to_string(texts.size()) + " that the second has");
      }
      out += texts[which];
    } else if (what == '%' && !numbered) {
      out += '%';
    } else if (what == 'n' && !numbered) {
      out += '\n';
    } else {
      fail("the first argument of CSVWrite, \"" + form + "\", has a % that is followed neither " +
           "by s nor by a number and $s");
    }
    i = end;
  }
  return out;
}

Value write_line(BuiltinCall& call) {
  std::vector<std::string> texts;
  for (const Value item : need_sequence(call, "CSVWrite", 1)->items()) {
    texts.push_back(to_text(item));
  }
  write(call, "CSVWrite", 2, filled_in(need_string(call, "CSVWrite", 0), texts) + "\n",
        Writing::kAppended);
  return kTrue;
}

Value write_record(BuiltinCall& call) {
  const Object* const record = need_function(call, "CSVWriteRecord", 0);
  const std::string& between = need_string(call, "CSVWriteRecord", 1);
  std::string heads;
  std::string values;
  for (uint32_t i = 0; i < record->size; ++i) {
    const Value key = key_at(record, i);
    if (!key.is_string()) fail_argument(call, "CSVWriteRecord", 0, "a record");
    heads += (i == 0 ? "" : between) + atom_text(key.atom());
    values += (i == 0 ? "" : between) + to_text(record->item(i));
  }
  const bool with_heads = need_boolean(call, "CSVWriteRecord", 2);
  write(call, "CSVWriteRecord", 3, (with_heads ? heads + "\n" : "") + values + "\n",
        Writing::kAppended);
  return kTrue;
}

std::vector<std::string> lines_of(const std::string& text, const std::string& between) {
  std::vector<std::string> out;
  size_t from = 0;
  for (;;) {
    const size_t at = text.find(between, from);
    out.push_back(text.substr(from, at == std::string::npos ? at : at - from));
    if (at == std::string::npos) return out;
    from = at + between.size();
  }
}

std::vector<std::string> lines_of_file(BuiltinCall& call, std::string_view name, size_t at) {
  const std::optional<std::string> text = text_of_file(call, name, at);
  if (!text || text->empty()) return {};
  std::vector<std::string> lines = lines_of(*text, "\n");
  if (lines.back().empty()) lines.pop_back();
  for (std::string& line : lines) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
  }
  return lines;
}

Value read_records(BuiltinCall& call) {
  const auto columns = need_sequence(call, "CSVRead", 0)->items();
  for (const Value column : columns) {
    if (!column.is_string()) fail_argument(call, "CSVRead", 0, "a sequence of strings");
  }
  const std::string& between = need_string(call, "CSVRead", 1);
  if (between.empty()) fail_argument(call, "CSVRead", 1, "a string that is not empty");
  std::vector<Value> records;
  for (const std::string& line : lines_of_file(call, "CSVRead", 2)) {
    std::vector<Value> fields;
    for (const std::string& field : lines_of(line, between)) fields.push_back(string_value(field));
    if (fields.size() != columns.size()) {
      fail("CSVRead: line " + std::to_string(records.size() + 1) + " of " +
           file_to_read(call, "CSVRead", 2) + " has " + std::to_string(fields.size()) +
           " fields, and there are " + std::to_string(columns.size()) + " columns");
    }
    records.push_back(make_record(call.heap(), columns, fields));
  }
  return make_tuple(call.heap(), std::span<const Value>(records));
}

const Builtin kIoUtils[] = {
    {"IOEnv", "", true, environment},
    {"atoi", "0", true, text_to_integer},
    {"zeroPadN", "00", true, padded},
    {"IOSerialize", "000", false, serialize_value},
    {"IODeserialize", "00", true, deserialize_value},
    {"Serialize", "000", false, serialize_text},
    {"Deserialize", "00", false, deserialize_text},
    {"IOExec", "0", false, no_programs<0>},
    {"IOEnvExec", "00", false, no_programs<1>},
    {"IOExecTemplate", "00", false, no_programs<2>},
    {"IOEnvExecTemplate", "000", false, no_programs<3>},
};

const Builtin kCsv[] = {
    {"CSVWrite", "000", false, write_line},
    {"CSVWriteRecord", "0000", false, write_record},
    {"CSVRead", "000", false, read_records},
    {"CSVRecords", "0", false,
     [](BuiltinCall& call) {
       return Value::small(static_cast<int64_t>(lines_of_file(call, "CSVRecords", 0).size()));
     }},
};

}  // namespace

std::span<const Builtin> io_utils_operators() { return kIoUtils; }
std::span<const Builtin> csv_operators() { return kCsv; }

}  // namespace ordeal::tla
