export function Ring() {
  return <p class="pad">The ring.</p>;
}
