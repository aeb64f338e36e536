export function Overview() {
  return <p class="pad">The violation.</p>;
}
