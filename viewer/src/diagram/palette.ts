// The colours of the diagram, from the style sheet, so that light and dark are decided in one place.

const NAMES = [
  "fg", "mut", "bg", "box", "line", "hover", "bad", "badbg", "accent", "accentbg",
  "msg", "event", "op", "opbg", "part", "partbg", "past", "future", "stripe",
] as const;

export type ColourName = (typeof NAMES)[number];
export type Palette = Record<ColourName, string> & { mono: string; sans: string };

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const palette = { mono: "monospace", sans: "sans-serif" } as Palette;
  for (const name of NAMES) palette[name] = style.getPropertyValue(`--${name}`).trim() || "#888";
  palette.mono = style.getPropertyValue("--mono").trim() || "monospace";
  palette.sans = style.fontFamily || "sans-serif";
  return palette;
}
