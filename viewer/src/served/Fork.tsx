export function Fork() {
  return <p class="pad">Another way to go on.</p>;
}
