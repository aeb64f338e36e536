export function Diagram() {
  return <p class="pad">The space-time diagram.</p>;
}
