import { useEffect, useState } from "preact/hooks";
import * as store from "../store";
import { copyText } from "./clipboard";

interface Props {
  label: string; // "Copy link"
  text: () => string | null;
  none?: string; // what to say where there is nothing to copy
  title?: string;
  name?: string; // what it copies, where the label alone does not say
}

/** Copies something, and says that it did. */
export function CopyButton({ label, text, none, title, name }: Props) {
  const [said, say] = useState("");
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const what = text();
    const words = what === null ? (none ?? "nothing to copy")
      : (await copyText(what)) ? "Copied" : "the browser refused to copy";
    say(words);
    store.notice.value = what === null ? words : `${label}: ${words}`;
  };
  return (
    <button type="button" class="copy" title={title} aria-label={said ? undefined : name} onClick={() => void copy()}>
      {said || label}
    </button>
  );
}
