const sentences = {
  processing: 'Is being processed. You can use it soon.',
  ready: 'Ready to use.',
  error: 'Could not be processed. Choose another file.',
};

/** A card that shows the name of a file and what can be done with it now. */
export function createFileCard({ fileUrl, apiKey }) {
  const card = document.createElement('article');
  card.innerHTML = '<h2></h2><p role="status">Loading</p>';
  const show = (name, sentence) => {
    card.querySelector('h2').textContent = name;
    card.querySelector('[role=status]').textContent = sentence;
  };
  loadFile(fileUrl, apiKey).then(
    ({ name, status }) => show(name, sentences[status]),
    () => show('', 'Cannot be shown.'),
  );
  return card;
}

async function loadFile(fileUrl, apiKey) {
  const response = await fetch(fileUrl, { headers: { 'X-API-Key': apiKey } });
  if (!response.ok) throw new Error(`The API returned ${response.status}.`);
  return response.json();
}
