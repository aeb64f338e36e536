#include "report/page/view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/page/bundle.h"
#include "report/page/page.h"

namespace ordeal::report {
namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', true, Json::error_handler_t::replace);
}

// JSON in a script element: without '<' no text in it can end the element or begin a comment.
std::string for_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string data_of(const ViewPage& page) {
  std::string json = fmt::format(
      "{{\"format\":\"ordeal-view\",\"version\":1,\"title\":{},\"program\":\"ordeal\","
      "\"served\":{},\"runs\":[",
      quoted(page.title), page.served);
  bool first = true;
  for (const ViewRun& run : page.runs) {
    json += fmt::format("{}{{\"name\":{},\"role\":{},\"subject\":{},\"trace\":", first ? "" : ",",
                        quoted(run.name), quoted(run.role), quoted(run.subject));
    json += to_json(*run.trace);
    if (!run.divergence.empty()) json += ",\"divergence\":" + quoted(run.divergence);
    json += "}";
    first = false;
  }
  json += "],\"report\":" + (page.report.empty() ? "null" : page.report) + "}";
  return for_script(json);
}

}  // namespace

std::string content_policy(bool served) {
  const std::string script =
      kBundle.script.empty() ? "'none'" : fmt::format("'{}'", kBundle.script_hash);
  return fmt::format(
      "default-src 'none'; script-src {}; style-src 'unsafe-inline'; img-src data: blob:; "
      "connect-src {}; base-uri 'none'; form-action 'none'",
      script, served ? "'self'" : "'none'");
}

std::string view_page(const ViewPage& page) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<title>{}</title>\n<style>{}</style>\n<style>",
      content_policy(page.served), esc(page.title), kPageStyle);
  out += kBundle.style;
  out += "</style>\n</head>\n<body>\n<div id=\"page\">\n<main id=\"report\">\n" + page.body +
         "</main>\n</div>\n";
  if (!kBundle.script.empty()) {
    out += "<div id=\"app\"></div>\n<script type=\"application/json\" id=\"ordeal-view\">";
    out += data_of(page);
    out += "</script>\n<script>";
    out += kBundle.script;
    out += "</script>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace ordeal::report
