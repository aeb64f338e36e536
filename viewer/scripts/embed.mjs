// Turns what `vite build` made into a C++ source: the script, the style sheet, and the hash by which
// a page's content security policy lets this script run and no other.
//
//   node scripts/embed.mjs DIST OUT.cc
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const [dist, out] = process.argv.slice(2);
if (!dist || !out) {
  console.error("embed: expected the folder that was built and the file to write");
  process.exit(2);
}
// An HTML parser ends a script at the first "</script", wherever it stands.
const script = readFileSync(`${dist}/viewer.js`, "utf8").replaceAll("</script", "<\\/script")
  .replaceAll("<!--", "<\\!--");
const style = readFileSync(`${dist}/viewer.css`, "utf8").replaceAll("</style", "<\\/style");
const hash = createHash("sha256").update(script, "utf8").digest("base64");

function literal(text) {
  const bytes = Buffer.from(text, "utf8");
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 4096)) {
      const char = String.fromCharCode(byte);
      if (char === "\n") line += "\\n";
      else if (char === '"' || char === "\\") line += "\\" + char;
      else if (byte < 32 || byte > 126 || char === "?") line += "\\" + byte.toString(8).padStart(3, "0");
      else line += char;
    }
    lines.push(`"${line}"`);
  }
  return lines.join("\n") || '""';
}

writeFileSync(out, `// Made by viewer/scripts/embed.mjs.
#include "report/page/bundle.h"

namespace ordeal::report {

const Bundle kBundle = {
    // the script
    std::string_view(${literal(script)}, ${Buffer.byteLength(script)}),
    // the style sheet
    std::string_view(${literal(style)}, ${Buffer.byteLength(style)}),
    "sha256-${hash}",
};

}  // namespace ordeal::report
`);
