/** The script of the page: filters the table of all checks, and unfolds everything before printing. */
export const pageScript = `
const form = document.getElementById('filter');
const rows = [...document.querySelectorAll('#all-checks tbody tr')];

function filter() {
  const { outcome, operation, text } = Object.fromEntries(new FormData(form));
  const words = text.toLowerCase().split(/\\s+/);
  let count = 0;
  for (const row of rows) {
    const fits =
      (outcome === '' || row.dataset.outcome === outcome) &&
      (operation === '' || row.dataset.operation === operation) &&
      words.every((word) => row.textContent.toLowerCase().includes(word));
    row.hidden = !fits;
    if (fits) count += 1;
  }
  document.getElementById('shown').value = count + ' of ' + rows.length + ' shown';
}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
filter();

for (const link of document.querySelectorAll('a[href="#checks"][data-outcome]')) {
  link.addEventListener('click', () => {
    form.reset();
    if (rows.some((row) => row.dataset.outcome === link.dataset.outcome)) form.outcome.value = link.dataset.outcome;
    filter();
  });
}

addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});
`;
