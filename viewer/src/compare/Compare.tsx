export function Compare() {
  return <p class="pad">Two runs, compared.</p>;
}
