// What is defined in TLA+: pages in HTML.
#include "language/tla/library/modules.h"

namespace ordeal::tla {

const std::string_view kHtmlText = R"tla(---- MODULE HTML ----
LOCAL INSTANCE Sequences
LOCAL INSTANCE SequencesExt

\* Of each pair <<what, by>> the first in the text is replaced.
HTMLFill(string, args) ==
  FoldLeft(LAMBDA text, pair : ReplaceFirstSubSeq(pair[2], pair[1], text), string, args)
LOCAL Join(texts, between) ==
  FoldLeft(LAMBDA a, b : IF a = "" THEN b ELSE a \o between \o b, "", texts)
LOCAL Lines(texts) == Join(texts, "\n")
LOCAL Tagged(open, inner, close) == Lines(<<open, inner, close>>)

HTMLDocument(header, body, list_of_scripts) ==
  Lines(<<"<!DOCTYPE html>", "<html>", header, body, Lines(list_of_scripts), "</html>">>)
HTMLHeader(title, list_of_links, class_list) ==
  Lines(<<"<head>", "<meta charset=\"UTF-8\">", "<title>" \o title \o "</title>",
          Lines(list_of_links), HTMLStyleSheet(class_list), "</head>">>)
HTMLBody(body) == Tagged("<body>", body, "</body>")
HTMLScript(children) == Tagged("<script>", Lines(children), "</script>")
HTMLScriptFile(name) == "<script src=\"" \o name \o "\"></script>"
HTMLLink(name, type) == "<link href=\"" \o name \o "\" rel=\"" \o type \o "\"/>"

HTMLAttribute(name, value) == name \o ": " \o value \o ";"
HTMLClass(classname, attribute_list) == Tagged(classname \o " {", Lines(attribute_list), "}")
HTMLDefaultStyle ==
  Lines(<<HTMLClass(".default_grid", <<HTMLAttribute("display", "grid")>>),
          HTMLClass(".default_box", <<HTMLAttribute("border", "1px solid black")>>),
          HTMLClass(".default_circle", <<HTMLAttribute("border-radius", "50%")>>)>>)
HTMLStyleSheet(class_list) ==
  Lines(<<"<style type=\"text/css\">", HTMLDefaultStyle, Lines(class_list), "</style>">>)
HTMLSize(width, height) ==
  Join(<<HTMLAttribute("width", width), HTMLAttribute("height", height)>>, " ")
HTMLFlexCenterAttributes ==
  Lines(<<HTMLAttribute("display", "flex"), HTMLAttribute("align-items", "center"),
          HTMLAttribute("justify-content", "center")>>)

HTMLFrame(id, children) == Tagged("<div id=\"" \o id \o "\">", Lines(children), "</div>")
HTMLGridContainer(id, class_list, children) ==
  Tagged("<div id=\"" \o id \o "\" class=\"default_grid " \o Join(class_list, " ") \o "\">",
         Lines(children), "</div>")
HTMLBox(id, class_list, size, children) ==
  Tagged("<div id=\"" \o id \o "\" class=\"default_box " \o Join(class_list, " ") \o
           "\" style=\"" \o size \o "\">", Lines(children), "</div>")
HTMLCircle(id, class_list, size, children) ==
  HTMLBox(id, <<"default_circle">> \o class_list, size, children)
HTMLText(id, text) == Tagged("<span id=\"" \o id \o "\">", text, "</span>")
HTMLSVG(id, viewBox, size, svgString) ==
  Tagged("<svg id=\"" \o id \o "\" viewBox=\"" \o viewBox \o "\" style=\"" \o size \o "\">",
         svgString, "</svg>")
HTMLNewLine == "<br>"

HTMLJSLineElems(fromID, destID) ==
  "document.getElementById(\"" \o fromID \o "\"), document.getElementById(\"" \o destID \o "\")"
LOCAL LeaderLine(fromID, destID, options) ==
  "new LeaderLine(" \o HTMLJSLineElems(fromID, destID) \o ", " \o options \o ")"
HTMLJSLine(fromID, destID, color, size) ==
  LeaderLine(fromID, destID, "{color: '" \o color \o "', size: " \o size \o "}")
HTMLJSLineDash(fromID, destID, color, size) ==
  LeaderLine(fromID, destID, " {color: '" \o color \o "', size: " \o size \o ", dash: true}")
HTMLJSKeyListener(events) ==
  Lines(<<"window.onkeyup = function(event) {", "let key = event.key.toUpperCase();",
          Lines(events), "}">>)
HTMLJSNavigationKey(key, file) ==
  Lines(<<"if(key == '" \o key \o "'){", "window.location.replace(\"" \o file \o "\");", "}">>)
====)tla";

}  // namespace ordeal::tla
