#include "serve/page.h"

#include "base/text.h"
#include "report/page/view.h"

namespace ordeal::serve {

Page make_page(const std::string& title, const std::vector<std::pair<std::string, Trace>>& runs) {
  report::ViewPage page;
  page.title = title;
  page.body = "<h1>" + escape_markup(title) +
              "</h1>\n<p>Served by Ordeal. The page needs scripts: it shows what it asks the "
              "server for.</p>\n";
  page.served = true;
  for (const auto& [name, trace] : runs) {
    page.runs.push_back({name, trace.verdict.property.empty() ? "run" : "violation", &trace});
  }
  return {report::view_page(page), report::content_policy(true) + "; frame-ancestors 'none'"};
}

}  // namespace ordeal::serve
