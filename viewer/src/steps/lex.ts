// From the text of a query to its tokens.
import type { Place } from "./query";

export interface Token extends Place {
  kind: "word" | "number" | "string" | "sign" | "end";
  text: string; // of strings: what they say
  spaced: boolean; // white space stands before it
}

export interface Mistake extends Place {
  message: string;
}

const SIGNS = ["==", "!=", "<=", ">=", "<>", "≤", "≥", "≠", "(", ")", "[", "]", "{", "}", "<", ">", "=", "!", ",", ":", ".", "*"];
const NUMBER = /^-?\d+(\.\d+)?(?![^\s()[\]{}<>=!,:."*≤≥≠])/;
const WORD = /^[^\s()[\]{}<>=!,:."*≤≥≠]+/;

export function tokensOf(text: string): Token[] | Mistake {
  const tokens: Token[] = [];
  let at = 0;
  let spaced = false;
  const push = (kind: Token["kind"], length: number, value: string) => {
    tokens.push({ kind, text: value, at, end: at + length, spaced });
    at += length;
    spaced = false;
  };
  while (at < text.length) {
    const rest = text.slice(at);
    if (/^\s/.test(rest)) {
      ++at;
      spaced = true;
      continue;
    }
    if (rest[0] === '"') {
      const found = /^"((?:[^"\\]|\\.)*)"/s.exec(rest);
      if (!found) return { at, end: text.length, message: 'this text is never closed; expected another " at its end' };
      push("string", found[0].length, found[1]!.replace(/\\(.)/gs, "$1"));
      continue;
    }
    const number = NUMBER.exec(rest);
    if (number) {
      push("number", number[0].length, number[0]);
      continue;
    }
    const sign = SIGNS.find((one) => rest.startsWith(one));
    if (sign) {
      push("sign", sign.length, sign);
      continue;
    }
    push("word", WORD.exec(rest)![0].length, WORD.exec(rest)![0]);
  }
  tokens.push({ kind: "end", text: "", at: text.length, end: text.length, spaced });
  return tokens;
}
