// What is defined in TLA+: modules for tools, pictures, pages and time.
#include "language/tla/library/modules.h"

namespace ordeal::tla {

const std::string_view kTlcExtText = R"tla(---- MODULE TLCExt ----
\* An operator, so that its argument is evaluated when it is called for.
AssertError(err, exp) == _AssertError(err, LAMBDA unused : exp)
ToTrace(CE) ==
  LET last == CHOOSE n \in {0} \cup {s[1] : s \in CE.state} :
                \A s \in CE.state : s[1] <= n
  IN  [i \in 1..last |-> (CHOOSE s \in CE.state : s[1] = i)[2]]
LOCAL INSTANCE Integers
TLCDefer(expression) == TRUE
TLCCache(expression, closure) == expression
PickSuccessor(exp) == exp
====)tla";

const std::string_view kToolboxText = R"tla(---- MODULE Toolbox ----
LOCAL INSTANCE TLC
LOCAL INSTANCE TLCExt
LOCAL INSTANCE Sequences

_TETrace == Trace
_TEPosition == Len(_TETrace)
====)tla";

const std::string_view kShiVizText = R"tla(---- MODULE ShiViz ----
LOCAL INSTANCE Integers
LOCAL INSTANCE Json
INSTANCE Toolbox

\* Whose counter was changed by step i: that process did it.
LOCAL Doer(i) ==
  IF i = 1 THEN "--"
  ELSE LET before == _TETrace[i - 1].pc
           after == _TETrace[i].pc
           last[j \in 1..i] ==
             IF j = 1 THEN "--"
             ELSE IF _TETrace[j - 1].pc = _TETrace[j].pc THEN last[j - 1]
                  ELSE CHOOSE p \in DOMAIN _TETrace[j].pc :
                         _TETrace[j - 1].pc[p] # _TETrace[j].pc[p]
       IN  IF before = after THEN last[i]
           ELSE CHOOSE p \in DOMAIN after : before[p] # after[p]

Host == Doer(_TEPosition)
Clock ==
  LET steps[i \in 1.._TEPosition] ==
        IF i = 1 THEN [p \in DOMAIN _TETrace[1].pc |-> 0]
        ELSE [p \in DOMAIN steps[i - 1] |-> steps[i - 1][p] + (IF p = Doer(i) THEN 1 ELSE 0)]
  IN  ToJsonObject(steps[_TEPosition])
====)tla";

const std::string_view kSvgText = R"tla(---- MODULE SVG ----
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE TLC
LOCAL INSTANCE IOUtils

SVGElem(_name, _attrs, _children, _innerText) ==
  [name |-> _name, attrs |-> _attrs, children |-> _children, innerText |-> _innerText]
LOCAL Leaf(kind, own, attrs, text) == SVGElem(kind, own @@ attrs, <<>>, text)

Line(x1, y1, x2, y2, attrs) ==
  Leaf("line", [x1 |-> ToString(x1), y1 |-> ToString(y1), x2 |-> ToString(x2),
                y2 |-> ToString(y2)], attrs, "")
Circle(cx, cy, r, attrs) ==
  Leaf("circle", [cx |-> ToString(cx), cy |-> ToString(cy), r |-> ToString(r)], attrs, "")
Rect(x, y, w, h, attrs) ==
  Leaf("rect", [x |-> ToString(x), y |-> ToString(y), width |-> ToString(w),
                height |-> ToString(h)], attrs, "")
Text(x, y, text, attrs) == Leaf("text", [x |-> ToString(x), y |-> ToString(y)], attrs, text)
Image(x, y, width, height, href, attrs) ==
  Leaf("image", [x |-> ToString(x), y |-> ToString(y), width |-> ToString(width),
                 height |-> ToString(height)] @@ ("xlink:href" :> href), attrs, "")
Group(children, attrs) == SVGElem("g", attrs, children, "")
Svg(children, attrs) == SVGElem("svg", attrs, children, "")
SVGDoc(children, vbX, vbY, vbW, vbH, attrs) ==
  LET box == ToString(vbX) \o " " \o ToString(vbY) \o " " \o ToString(vbW) \o " " \o ToString(vbH)
  IN  Svg(<<children>>, ("xmlns" :> "http://www.w3.org/2000/svg" @@
                         "xmlns:xlink" :> "http://www.w3.org/1999/xlink" @@
                         "viewBox" :> box) @@ attrs)
SVGSerialize(svg, frameNamePrefix, frameNumber) ==
  Serialize(SVGElemToString(svg), frameNamePrefix \o zeroPadN(frameNumber, 3) \o ".svg",
            [format |-> "TXT", charset |-> "UTF-8",
             openOptions |-> <<"WRITE", "CREATE", "TRUNCATE_EXISTING">>])
====)tla";

const std::string_view kRealTimeText = R"tla(---- MODULE RealTime ----
EXTENDS Reals
VARIABLE now

RTBound(A, v, D, E) ==
  LET Reset == <<A>>_v \/ ~(ENABLED <<A>>_v)'
      Tick(t) == t' = IF Reset THEN 0 ELSE t + (now' - now)
  IN  \EE t : /\ t = 0 /\ [][Tick(t)]_<<t, v, now>>
              /\ [](t <= E)
              /\ [][A => t >= D]_v
RTnow(v) ==
  LET Advance == now' \in {r \in Real : r > now} /\ UNCHANGED v
  IN  /\ now \in Real
      /\ [][Advance]_now
      /\ \A r \in Real : WF_now(Advance /\ now' > r)
====)tla";

const std::string_view kApalacheText = R"tla(---- MODULE Apalache ----
LOCAL INSTANCE Integers
LOCAL INSTANCE Sequences
LOCAL INSTANCE FiniteSetsExt
LOCAL INSTANCE SequencesExt

x := e == x = e
Gen(size) == {}
Guess(S) == CHOOSE x \in S : TRUE
Skolem(e) == e
Expand(S) == S
ConstCardinality(e) == e
MkSeq(n, F(_)) == [i \in 1..n |-> F(i)]
Repeat(F(_, _), n, x) == FoldLeftDomain(F, x, [i \in 1..n |-> i])
SetAsFun(pairs) ==
  [x \in {p[1] : p \in pairs} |-> (CHOOSE p \in pairs : p[1] = x)[2]]
FunAsSeq(f, n, most) == [i \in 1..n |-> f[i]]
ApaFoldSet(F(_, _), base, S) == FoldSet(LAMBDA x, y : F(y, x), base, S)
ApaFoldSeqLeft(F(_, _), base, s) == FoldLeft(F, base, s)
====)tla";

}  // namespace ordeal::tla
