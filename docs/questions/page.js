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
    const chosen = value === '*' ? spelled(field) : value;
    return { id: article.id, chosen, kind: dataset.kind, sentence: sentenceOf(article, chosen) };
  }

  const isQuestion = (id) => asked.some((article) => article.id === id);

  /** What holds for an open point: the answer, or the default; one that names another open point has its value. */
  function heldBy(id) {
    const article = one(id);
    const own = answerOf(article)?.chosen ?? article.dataset.default;
    return isQuestion(own) ? heldBy(own) : own;
  }

  /** The sentence of a value, with what holds for each other open point that it names. */
  function sentenceOf(article, chosen) {
    const value = isQuestion(chosen) ? heldBy(chosen) : chosen;
    const radios = [...article.querySelectorAll('[type=radio]')];
    const radio = radios.find((each) => each.value === value) ?? radios.find((each) => each.value === '*');
    const shown = value.startsWith('without ') ? value.split(' ').slice(1).join(', ') : value;
    return radio.dataset.says.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'value' ? shown : heldBy(name)));
  }

  /** What a field says. Words from a list may be written in any order, and without the word before them. */
  function spelled(field) {
    if (!field.dataset.words) return field.value;
    const words = field.value.split(/[\s,]+/).filter((word) => word !== '' && word !== 'without');
    return ['without', ...[...new Set(words)].sort()].join(' ');
  }

  function isLegal(field) {
    const { words, except = '' } = field.dataset;
    if (words) return new RegExp(field.pattern, 'u').test(spelled(field));
    return field.validity.valid && !except.split(' ').includes(String(Number(field.value)));
  }

  /** Whether the text could be chosen. What a field does not accept stays in it, with an error. */
  function choose(article, text) {
    const radios = [...article.querySelectorAll('[type=radio]')];
    const listed = radios.find(({ value }) => value === text && value !== '*');
    const other = radios.find(({ value }) => value === '*');
    if (listed === undefined && other !== undefined) article.querySelector('[data-for]').value = text;
    const chosen = listed ?? other ?? radios[0];
    chosen.checked = true;
    return listed !== undefined || answerOf(article) !== undefined;
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

  const remarkOf = (article) => article.querySelector('[data-remark]').value.trim();

  /** What is said about a question: its sentence, and the comment under it. */
  function said(article) {
    const remark = remarkOf(article);
    const answer = answerOf(article);
    if (answer === undefined && remark === '') return [];
    const asks = article.querySelector('h3').textContent;
    const line = `- ${answer?.sentence ?? `(Not answered.) ${asks}`}`;
    return remark === '' ? [line] : [line, `  Comment: ${remark.replaceAll(/\s*\n\s*/g, '\n  ')}`];
  }

  function toSentences() {
    const told = asked.map((article) => ({ section: article.dataset.section, lines: said(article) }));
    const sections = [...new Set(told.filter(({ lines }) => lines.length > 0).map(({ section }) => section))];
    sections.sort((first, second) => first.localeCompare(second, 'en', { numeric: true }));
    const blocks = sections.map((section) => {
      const lines = told.filter((each) => each.section === section).flatMap((each) => each.lines);
      return `${section}\n${[...new Set(lines)].join('\n')}\n`;
    });
    return blocks.join('\n');
  }

  function readAddress() {
    const kept = new URLSearchParams(location.hash.slice(1));
    if (!kept.has('answers')) return false;
    const lost = [...kept.keys()].filter((key) => key !== 'answers' && !isQuestion(key.replace(/^comment\./, '')));
    for (const article of asked) {
      if (!choose(article, kept.get(article.id) ?? '')) lost.push(article.id);
      setRemark(article, kept.get(`comment.${article.id}`) ?? '');
    }
    one('not-taken').hidden = lost.length === 0;
    one('not-taken').textContent =
      `Not accepted from the address: ${lost.map((key) => `${key}=${kept.get(key)}`).join(', ')}.`;
    return true;
  }

  function setRemark(article, text) {
    const field = article.querySelector('[data-remark]');
    field.value = text;
    field.closest('details').open = text !== '';
  }

  function keep(answers) {
    const remarks = asked
      .map((article) => [`comment.${article.id}`, remarkOf(article)])
      .filter(([, text]) => text !== '');
    const pairs = [...answers.map(({ id, chosen }) => [id, chosen]), ...remarks];
    const hash = `#${new URLSearchParams([['answers', ''], ...pairs])}`;
    const isKept = pairs.length === 0 && !location.hash.startsWith('#answers');
    if (!isKept && location.hash !== hash) history.replaceState(null, '', hash);
  }

  /** Says of a field whether it holds something that is not accepted. */
  function judge(article) {
    const field = article.querySelector('[data-for]');
    if (field === null) return;
    const isUsed = article.querySelector('[type=radio][value="*"]').checked;
    const isWrong = isUsed && (field.value !== '' || field.validity.badInput) && !isLegal(field);
    field.setAttribute('aria-invalid', String(isWrong));
    one(`${article.id}-error`).hidden = !isWrong;
  }

  /** Writes each sentence with what holds now for the open points that it names. */
  function refresh(article) {
    for (const says of article.querySelectorAll('.says'))
      says.textContent = sentenceOf(article, says.closest('label').querySelector('input').value);
  }

  function show() {
    const answers = asked.flatMap((article) => answerOf(article) ?? []);
    for (const article of asked) {
      article.classList.toggle('answered', answerOf(article) !== undefined);
      judge(article);
      refresh(article);
    }
    one('progress').textContent = `${answers.length} of ${asked.length} answered`;
    one('bar').max = asked.length;
    one('bar').value = answers.length;
    one('sentences').textContent = toSentences();
    one('profile').textContent = toProfile(answers);
    one('none-yet').hidden = answers.length > 0;
    one('clear').disabled = toSentences() === '';
    keep(answers);
  }

  function filter() {
    const endpoint = one('endpoint').value;
    const isLeft = (article) => asked.includes(article) && answerOf(article) === undefined;
    for (const article of articles) {
      const concerns = endpoint === '' || article.dataset.operations.split(' ').includes(endpoint);
      const isSmall = one('worst').checked && article.dataset.cost !== '3';
      article.hidden = !concerns || isSmall || (one('unanswered').checked && !isLeft(article));
    }
    for (const fold of document.querySelectorAll('.finer'))
      fold.hidden = fold.querySelector('.question:not([hidden])') === null;
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
    const fold = target?.closest('.finer, .not-asked');
    if (fold) fold.open = true;
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
    for (const article of asked) {
      choose(article, '');
      setRemark(article, '');
    }
    one('not-taken').hidden = true;
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
