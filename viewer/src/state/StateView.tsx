export function StateView() {
  return <p class="pad">The state.</p>;
}
