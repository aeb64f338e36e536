export function Live() {
  return <p class="pad">Nodes that run in real time.</p>;
}
