import { Long } from "../panel/words";
import { saveText } from "../served/files";
import * as store from "../store";
import type { Run } from "../trace/run";
import { CopyButton } from "../ui/CopyButton";
import { commandsOf, savedAs } from "./address";

/** The run as a file, and the commands that run it again. */
export function Again({ run }: { run: Run }) {
  const commands = commandsOf(run);
  const name = savedAs(run);
  const save = () => {
    saveText(name, JSON.stringify(run.trace));
    store.notice.value = `Saved as ${name}`;
  };
  return (
    <section class="over-box" aria-labelledby="over-again">
      <div class="over-again">
        <h2 id="over-again">Take it along</h2>
        <button type="button" onClick={save}>Save the trace</button>
      </div>
      {commands.map((command) => (
        <div class="over-command" key={command.what}>
          <span>{command.what}</span>
          <CopyButton label="Copy" name={`Copy the command: ${command.what}`} text={() => command.line} />
          <code><Line text={command.line} /></code>
        </div>
      ))}
    </section>
  );
}

/** A command broken between its options, never inside of one. */
function Line({ text }: { text: string }) {
  const [first, ...options] = text.split(/ (?=--)/);
  return <><Long text={first!} most={160} what="command" />{options.map((option, i) => <span key={i}> <span class={option.length < 50 ? "over-option" : ""}>{option}</span></span>)}</>;
}
