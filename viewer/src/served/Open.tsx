export function Open() {
  return <p class="pad">Subjects, scenarios and files.</p>;
}
