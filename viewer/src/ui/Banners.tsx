import { api, gone } from "../api";
import { linkTrouble } from "../served/linking";

/** What is wrong with the page as a whole: a link that leads nowhere, a server that is gone. */
export function Banners() {
  return (
    <>
      {gone.value ? (
        <div class="banner bad" role="alert">
          <span>✗ The server is gone: <code>ordeal serve</code> has ended or cannot be reached. What is
            shown stays; nothing new comes.</span>
          <button type="button" onClick={() => void api.suite().catch(() => undefined)}>Try again</button>
        </div>
      ) : null}
      {linkTrouble.value ? (
        <div class="banner warn" role="alert">
          <span>⚠ {linkTrouble.value}</span>
          <button type="button" onClick={() => { linkTrouble.value = ""; }}>Close</button>
        </div>
      ) : null}
    </>
  );
}
