// What reports are tested with: whether markup is well formed, and text that tries to break it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "report/page/bundle.h"

namespace ordeal::sample {

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline size_t lines_of(const std::string& text) {
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The tags of our pages that need no closing one.
inline const std::vector<std::string> kVoids = {"meta", "br"};

// Tags that close in order, attributes in quotes, no stray '<', '&' only as entities: enough to
// tell well-formed markup from broken one. `voids` need no closing tag.
inline std::string markup_offence(const std::string& text, const std::vector<std::string>& voids) {
  std::vector<std::string> open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const size_t end = text.find(';', i);
      if (end == std::string::npos || end - i > 6) return "a bare & at " + std::to_string(i);
    }
    if (text[i] != '<') continue;
    const size_t end = text.find('>', i);
    if (end == std::string::npos) return "an open tag at " + std::to_string(i);
    std::string tag = text.substr(i + 1, end - i - 1);
    i = end;
    if (has(tag, "<")) return "a < inside a tag: " + tag;
    if (tag[0] == '?' || tag[0] == '!') continue;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "an odd quote in " + tag;
    const bool closes = tag[0] == '/';
    const bool closed = tag.back() == '/';
    const std::string name = tag.substr(closes ? 1 : 0, tag.find_first_of(" /\n", 1) - closes);
    if (name == "script" || name == "style") {
      // What stands inside is no markup, up to the first closing tag.
      const size_t after = text.find("</" + name + ">", end);
      if (after == std::string::npos) return "<" + name + "> is not closed";
      i = after + name.size() + 2;
      continue;
    }
    if (closes) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else if (!closed && std::find(voids.begin(), voids.end(), name) == voids.end()) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

// What stands inside the scripts of a page, in order.
inline std::vector<std::string> scripts_of(const std::string& page) {
  std::vector<std::string> scripts;
  for (size_t at = page.find("<script"); at != page.npos; at = page.find("<script", at)) {
    const size_t begin = page.find('>', at) + 1;
    const size_t end = page.find("</script", begin);
    scripts.push_back(page.substr(begin, end - begin));
    at = end;
  }
  return scripts;
}

// A page holds the viewer and its data, and no other script: whatever a trace says.
inline std::string script_offence(const std::string& page) {
  const std::vector<std::string> scripts = scripts_of(page);
  if (scripts.size() != (report::kBundle.script.empty() ? 0U : 2U)) {
    return std::to_string(scripts.size()) + " scripts";
  }
  if (scripts.empty()) return "";
  if (has(scripts[0], "<")) return "a < in the data";
  if (scripts[1] != report::kBundle.script) return "a script that is not the viewer";
  const std::string allowed = "script-src '" + std::string(report::kBundle.script_hash) + "';";
  return has(page, allowed) ? "" : "a policy that lets other scripts run";
}

inline const std::string kHostile = "<img src=x onerror=alert(1)>&\"'\x1b[2J\x01\xff";

}  // namespace ordeal::sample
