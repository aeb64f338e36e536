// Holds what is asked and answered against docs/reference/serve.schema.json, from which the viewer
// has its types.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "serve/ask.h"
#include "tests/engine/trace/schema.h"

namespace ordeal::serve {

class Wire {
 public:
  using Plain = nlohmann::json;

  static const Wire& get() {
    static const Wire wire;
    return wire;
  }

  const Plain& endpoints() const { return root_.at("endpoints"); }

  // "/api/jobs/12/stream" is answered as "GET /api/jobs/ID/stream" has it.
  static std::string place_of(const Ask& ask) {
    std::string place = ask.method;
    size_t at = 0;
    while (at < ask.path.size()) {
      const size_t end = std::min(ask.path.find('/', at + 1), ask.path.size());
      const std::string word = ask.path.substr(at + 1, end - at - 1);
      const bool is_id = !word.empty() && word.find_first_not_of("0123456789") == word.npos;
      place += (at == 0 ? " /" : "/") + (is_id ? "ID" : word);
      at = end;
    }
    return place;
  }

  // What is wrong, with its place; "": nothing. What was refused may have been asked in any form.
  std::string problem(const Ask& ask, const Answer& answer) const {
    const std::string place = place_of(ask);
    if (answer.status >= 400) return told(place, schema_.problem(parsed(answer.body), "Problem"));
    if (answer.type == "text/html; charset=utf-8" || answer.status != 200) return "";
    const auto known = endpoints().find(place);
    if (known == endpoints().end()) return place + ": is not in the schema";
    if (ask.method == "POST") {
      const std::string wrong = schema_.problem(parsed(ask.body), (*known)["ask"]);
      if (!wrong.empty()) return told(place + ", asked", wrong);
    }
    if (answer.stream != nullptr) {
      return known->contains("events") ? "" : place + ": is no stream in the schema";
    }
    return told(place, schema_.problem(parsed(answer.body), (*known)["answer"]));
  }

  std::string problem(const std::string& place, const std::string& event,
                      const std::string& data) const {
    const Plain& events = endpoints().at(place).at("events");
    if (!events.contains(event)) return place + ": event " + event + " is not in the schema";
    return told(place + ", event " + event, schema_.problem(parsed(data), events[event]));
  }

 private:
  Wire() : root_(read("serve.schema.json")), schema_(root_, {{"trace.schema.json", trace()}}) {}

  static Plain read(const std::string& name) {
    return Plain::parse(std::ifstream(ORDEAL_SOURCE_DIR "/docs/reference/" + name));
  }
  static Plain trace() { return read("trace.schema.json"); }
  static Plain parsed(const std::string& text) { return Plain::parse(text, nullptr, false); }
  static std::string told(const std::string& place, const std::string& wrong) {
    return wrong.empty() ? "" : place + ": " + wrong;
  }

  Plain root_;
  Schema schema_;
};

// A stream, every event of which is held against the schema as it passes.
class CheckedStream : public Stream {
 public:
  CheckedStream(std::string place, std::shared_ptr<Stream> inner)
      : place_(std::move(place)), inner_(std::move(inner)) {}

  bool next(std::chrono::milliseconds patience, std::string& out) override {
    std::string text;
    const bool more = inner_->next(patience, text);
    for (size_t at = 0; at < text.size();) {
      const size_t line = text.find("\ndata: ", at);
      const size_t end = text.find("\n\n", at);
      EXPECT_EQ(text.compare(at, 7, "event: "), 0) << text.substr(at, 100);
      EXPECT_LT(line, end) << text.substr(at, 100);
      const std::string name = text.substr(at + 7, line - at - 7);
      EXPECT_EQ(Wire::get().problem(place_, name, text.substr(line + 7, end - line - 7)), "");
      at = end + 2;
    }
    out += text;
    return more;
  }

 private:
  const std::string place_;
  const std::shared_ptr<Stream> inner_;
};

}  // namespace ordeal::serve
