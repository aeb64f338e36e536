export function Explore() {
  return <p class="pad">Searches under way.</p>;
}
