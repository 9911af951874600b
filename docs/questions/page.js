// The script of questions.html. Collects answers, keeps them in the address of the page, and writes sentences and a
// profile from them.
(() => {
  const one = (id) => document.getElementById(id);
  const articles = [...document.querySelectorAll('.question')];
  const asked = articles.filter((article) => article.querySelector('fieldset') !== null);
  const parts = [...document.querySelectorAll('.part')];

  /** The answer of a question; undefined while it has none, or none that is legal. */
  function answerOf(article) {
    const { value, dataset } = article.querySelector('[type=radio]:checked');
    if (value === '') return undefined;
    const field = article.querySelector('[data-for]');
    if (value === '*' && !isLegal(field)) return undefined;
    const chosen = value === '*' ? field.value : value;
    const sentence = dataset.says.replaceAll('{value}', chosen);
    return { id: article.id, chosen, kind: dataset.kind, sentence, section: article.dataset.section };
  }

  function isLegal(field) {
    const excluded = (field.dataset.except ?? '').split(' ').includes(String(Number(field.value)));
    return field.validity.valid && !excluded;
  }

  function choose(article, text) {
    const radios = [...article.querySelectorAll('[type=radio]')];
    const listed = radios.find(({ value }) => value === text && value !== '*');
    const other = radios.find(({ value }) => value === '*');
    const field = article.querySelector('[data-for]');
    if (listed === undefined && field !== null) field.value = text;
    const isOther = listed === undefined && field !== null && isLegal(field);
    (listed ?? (isOther ? other : radios[0])).checked = true;
  }

  // What YAML would read as something else than a text stands in quotes.
  function scalar({ chosen, kind }) {
    if (kind === 'number') return String(Number(chosen));
    const isPlain = /^[A-Za-z][\w./-]*$/.test(chosen) && !/^(?:true|false|null|yes|no|on|off|[yn])$/i.test(chosen);
    return isPlain ? chosen : JSON.stringify(chosen);
  }

  function toProfile(answers) {
    const head = `# ${answers.length} of ${asked.length} questions answered. All other open points have their default.`;
    const lines = answers.map((answer) => `${answer.id}: ${scalar(answer)}`);
    return [head, ...(lines.length === 0 ? ['{}'] : lines), ''].join('\n');
  }

  function toSentences(answers) {
    const sections = [...new Set(answers.map(({ section }) => section))];
    sections.sort((first, second) => first.localeCompare(second, 'en', { numeric: true }));
    const blocks = sections.map((section) => {
      const said = answers.filter((answer) => answer.section === section).map(({ sentence }) => `- ${sentence}`);
      return `Section${section.includes(',') ? 's' : ''} ${section}\n${said.join('\n')}\n`;
    });
    return blocks.join('\n');
  }

  function readAddress() {
    const kept = new URLSearchParams(location.hash.slice(1));
    if (!kept.has('answers')) return false;
    for (const article of asked) choose(article, kept.get(article.id) ?? '');
    return true;
  }

  function keep(answers) {
    const pairs = answers.map(({ id, chosen }) => [id, chosen]);
    const hash = `#${new URLSearchParams([['answers', ''], ...pairs])}`;
    const isKept = answers.length === 0 && !location.hash.startsWith('#answers');
    if (!isKept && location.hash !== hash) history.replaceState(null, '', hash);
  }

  function show() {
    const answers = asked.flatMap((article) => answerOf(article) ?? []);
    for (const article of asked) {
      article.classList.toggle('answered', answerOf(article) !== undefined);
      const field = article.querySelector('[data-for]');
      const isUsed = article.querySelector('[type=radio][value="*"]')?.checked === true;
      field?.setAttribute('aria-invalid', String(isUsed && field.value !== '' && !isLegal(field)));
    }
    one('progress').textContent = `${answers.length} of ${asked.length} answered`;
    one('bar').max = asked.length;
    one('bar').value = answers.length;
    one('sentences').textContent = toSentences(answers);
    one('profile').textContent = toProfile(answers);
    one('none-yet').hidden = answers.length > 0;
    one('clear').disabled = answers.length === 0;
    keep(answers);
  }

  function filter() {
    const endpoint = one('endpoint').value;
    const isLeft = (article) => asked.includes(article) && answerOf(article) === undefined;
    for (const article of articles) {
      const concerns = endpoint === '' || article.dataset.operations.split(' ').includes(endpoint);
      article.hidden = !concerns || (one('unanswered').checked && !isLeft(article));
    }
    for (const part of parts) part.hidden = part.querySelector('.question:not([hidden])') === null;
    one('nothing').hidden = parts.some((part) => !part.hidden);
  }

  /** A link to a question leads to it, whatever the filter hides. The answers stay in the address. */
  function follow() {
    if (readAddress()) return show();
    const target = one(location.hash.slice(1));
    if (target?.hidden) {
      one('toolbar').reset();
      filter();
    }
    target?.scrollIntoView();
    show();
  }

  function say(text) {
    one('said').textContent = text;
  }

  async function copy(id) {
    try {
      await navigator.clipboard.writeText(one(id).textContent);
      say('Copied.');
    } catch {
      getSelection().selectAllChildren(one(id));
      say('Selected. Press Ctrl+C, or Cmd+C, to copy it.');
    }
  }

  function download(id, file) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([one(id).textContent], { type: 'text/plain' }));
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(`Saved as ${file}.`);
  }

  function clear() {
    for (const article of asked) choose(article, '');
    show();
    filter();
    say('All answers are cleared. Everything has its default.');
  }

  document.addEventListener('input', ({ target }) => {
    if (target.dataset.for !== undefined) one(`${target.dataset.for}-other`).checked = true;
    // An answer does not make its question disappear at once: the filter is applied when it is touched.
    if (target.form === one('toolbar')) filter();
    else show();
  });
  document.addEventListener('click', ({ target }) => {
    const { copy: copied, download: saved, file } = target.dataset;
    if (copied !== undefined) copy(copied);
    if (saved !== undefined) download(saved, file);
    if (target.id === 'clear') clear();
  });
  document.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('hashchange', follow);

  one('no-script').hidden = true;
  one('toolbar').hidden = false;
  one('results').hidden = false;
  follow();
})();
