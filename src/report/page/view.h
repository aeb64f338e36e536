// A page with the viewer in it: what is static (readable without scripts), the runs as data, and
// the app that shows them. Reports and the server's page are made here and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "ordeal/trace.h"

namespace ordeal::report {

struct ViewRun {
  std::string name;
  std::string role =
      "run";  // "violation", "error", "original" (before it was minimised), "passing", "run"
  const Trace* trace = nullptr;
  std::string subject = {};  // "paxos --nodes 3", as a user would type it; "": not known
  // Of a replay that did not go as its trace has it: where and why; "": it did, or it is none.
  std::string divergence = {};
};

struct ViewPage {
  std::string title;  // plain
  std::string body;   // HTML: the static part
  std::vector<ViewRun> runs;
  std::string report;   // as to_json() has it; "": none
  bool served = false;  // there is a server behind it
};

std::string view_page(const ViewPage& page);

// What a page of this kind may load and run: its own script, known by its hash, and nothing else. A
// server also sends it as a header.
std::string content_policy(bool served);

}  // namespace ordeal::report
