import { useRef } from "preact/hooks";
import { keymap, useKeys } from "../keys";

/** The list of keys, made from what is registered. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => dialog.current?.showModal();
  useKeys([{ keys: ["?"], what: "this list", run: open }]);
  const name = (key: string): string => key.startsWith("Shift+") ? `shift ${name(key.slice(6))}`
    : ({ ArrowRight: "→", ArrowLeft: "←", ArrowUp: "↑", ArrowDown: "↓", " ": "space" })[key] ?? key;
  return (
    <>
      <button type="button" class="quiet" onClick={open} aria-label="Keyboard help" title="Keys (?)">?</button>
      <dialog ref={dialog} aria-label="Keys" class="help">
        <h2>Keys</h2>
        <dl>
          {keymap.value.map((key) => (
            <div key={key.what}>
              <dt>{key.keys.map((one) => <kbd key={one}>{name(one)}</kbd>)}</dt>
              <dd>{key.what}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog"><button>Close</button></form>
      </dialog>
    </>
  );
}
