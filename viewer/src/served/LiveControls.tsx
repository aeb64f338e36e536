import { useEffect, useRef, useState } from "preact/hooks";
import { command, lines, status } from "./live";
import type { LiveStatus } from "./read";

type Node = LiveStatus["nodes"][number];

function NodeCard({ node, active }: { node: Node; active: boolean }) {
  const name = `node ${node.id}`;
  const state = !node.up ? { words: "▼ down", tone: "bad" } : node.paused ? { words: "‖ paused", tone: "warn" } : { words: "▲ up", tone: "good" };
  return (
    <li class="live-node" aria-label={name}>
      <div class="live-line">
        <b>{name}</b>
        <span class={`tag ${state.tone}`}>{state.words}</span>
        {!node.up && node.paused ? <span class="tag warn">‖ paused</span> : null}
      </div>
      <div class="what">{node.name && node.name !== String(node.id) ? `${node.name}, ` : ""}{node.queue} waiting</div>
      <div class="live-line">
        <button type="button" disabled={!active} aria-label={`${node.paused ? "Resume" : "Pause"} ${name}`}
          onClick={() => void command(`${node.paused ? "resume" : "pause"} ${node.id}`)}>{node.paused ? "Resume" : "Pause"}</button>
        <button type="button" disabled={!active} aria-label={`${node.up ? "Crash" : "Restart"} ${name}`}
          onClick={() => void command(`${node.up ? "crash" : "restart"} ${node.id}`)}>{node.up ? "Crash" : "Restart"}</button>
      </div>
    </li>
  );
}

export function LiveNodes({ told, active }: { told: LiveStatus; active: boolean }) {
  return (
    <section aria-labelledby="live-nodes-title">
      <h2 id="live-nodes-title">Nodes</h2>
      <ul class="live-nodes">
        {told.nodes.map((node) => <NodeCard node={node} active={active} key={node.id} />)}
      </ul>
      {told.requests.length > 0 ? (
        <div class="live-requests" role="group" aria-label="Requests">
          <span class="what">Send a request:</span>
          {told.requests.map((request) => (
            <button type="button" key={request.index} disabled={!active} class="mono"
              onClick={() => void command(`request ${request.index}`)}>
              {request.text}{request.node >= 0 && !/ at \d+$/.test(request.text) ? ` at ${request.node}` : ""}
            </button>
          ))}
        </div>
      ) : null}
    </section>
  );
}

/** Links from everybody to everybody: one is chosen, then changed. */
export function LiveLinks({ told, active }: { told: LiveStatus; active: boolean }) {
  const [chosen, choose] = useState<[number, number] | null>(null);
  const [delay, setDelay] = useState("500");
  const ids = told.nodes.map((node) => node.id);
  const linkOf = (from: number, to: number) => told.links.find((link) => link.from === from && link.to === to);
  const wordsOf = (from: number, to: number) => {
    const link = linkOf(from, to);
    if (!link) return "as usual";
    const words = [...(link.drop ? ["drops all"] : []), ...(link.delay_ms > 0 ? [`${link.delay_ms} ms later`] : [])];
    return words.join(", ") || "as usual";
  };
  const cell = (from: number, to: number) => {
    const link = linkOf(from, to);
    if (link?.drop) return "✗";
    return link && link.delay_ms > 0 ? `+${link.delay_ms}` : "·";
  };
  const [from, to] = chosen ?? [-1, -1];
  const dropped = linkOf(from, to)?.drop ?? false;
  const wrong = !/^\d+(\.\d+)?$/.test(delay);
  return (
    <section aria-labelledby="live-links-title">
      <h2 id="live-links-title">Links</h2>
      <p class="what" id="live-links-what">From a row to a column: · as usual, ✗ drops, +ms late.</p>
      <table class="live-links" aria-labelledby="live-links-title" aria-describedby="live-links-what">
        <thead><tr><td />{ids.map((id) => <th scope="col" key={id}>{id}</th>)}</tr></thead>
        <tbody>
          {ids.map((row) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {ids.map((column) => (
                <td key={column}>
                  {row === column ? null : (
                    <button type="button" aria-label={`Link from ${row} to ${column}: ${wordsOf(row, column)}`}
                      aria-pressed={from === row && to === column} onClick={() => choose([row, column])}>{cell(row, column)}</button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {chosen ? (
        <div class="live-line" role="group" aria-label={`Link from ${from} to ${to}`}>
          <b>{from} → {to}</b>
          <button type="button" disabled={!active} onClick={() => void command(`${dropped ? "deliver" : "drop"} ${from} ${to}`)}>
            {dropped ? "Deliver again" : "Drop all"}
          </button>
          <button type="button" disabled={!active || wrong} onClick={() => void command(`delay ${from} ${to} ${delay}`)}>Delay by</button>
          <label><input class="short" inputMode="numeric" value={delay} aria-label="Delay in milliseconds" aria-invalid={wrong}
            onInput={(event) => setDelay(event.currentTarget.value)} /> ms</label>
          <button type="button" disabled={!active} onClick={() => void command(`cut ${from} ${to}`)}>Cut both ways</button>
        </div>
      ) : <p class="what">Choose a link to drop or delay what it carries.</p>}
      <p class="actions"><button type="button" disabled={!active || told.links.length === 0}
        onClick={() => void command("heal")}>Heal all links</button></p>
    </section>
  );
}

/** The same commands as in a terminal, and what was said. */
export function LiveCommands({ active }: { active: boolean }) {
  const [text, setText] = useState("");
  const typed = useRef<string[]>([]);
  const back = useRef(0);
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [lines.value]);
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    typed.current.push(text);
    back.current = 0;
    void command(text);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    back.current = Math.max(0, Math.min(typed.current.length, back.current + by));
    setText(typed.current[typed.current.length - back.current] ?? "");
  };
  return (
    <section aria-labelledby="live-commands-title" class="live-commands">
      <h2 id="live-commands-title">Commands</h2>
      <div role="log" aria-label="What was said" class="live-log mono" ref={log} tabIndex={0}>
        {lines.value.map((line) => (
          <div key={line.id} class={line.kind}>{line.kind === "typed" ? "> " : line.kind === "wrong" ? "✗ " : ""}{line.text}</div>
        ))}
      </div>
      <form class="live-line" onSubmit={onSubmit}>
        <input class="mono" aria-label="Command" value={text} disabled={!active} autocomplete="off" spellcheck={false}
          placeholder="crash 2, delay 1 2 500, help …" onKeyDown={onKeyDown}
          onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" disabled={!active}>Do it</button>
      </form>
      {status.value ? null : <p class="what">…</p>}
    </section>
  );
}
