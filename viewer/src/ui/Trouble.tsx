/** Where nothing can be shown: what is wrong, in the middle of the page. */
export function Trouble({ what }: { what: string }) {
  return (
    <main class="trouble">
      <h1>This page cannot be shown</h1>
      <p role="alert">{what}</p>
    </main>
  );
}
