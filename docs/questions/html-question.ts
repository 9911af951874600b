import { loadDocument } from '../../openapi/contract/load.ts';
import type { ChoiceRange } from '../../openapi/contract/open-points.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { prices } from '../../openapi/contract/wrong-guesses.ts';
import { type Fragment, type Markup, markup } from '../../reporting/markup.ts';
import { isSame, type ShownAnswer, type ShownExample, shortened } from './exchanges.ts';
import { type Answer, meaningOf, type Question } from './questions.ts';

/** One question: what the text says, what a wrong guess costs, the answers to choose from, and an example. */
export function questionArticle(question: Question): Markup {
  const { point, asks, cost } = question;
  return markup`<article class="question cost-${cost.cost}" id="${point.id}" data-operations="${point.operations.join(' ')}" data-section="${question.section}" data-default="${point.default}" data-cost="${cost.cost}" aria-labelledby="${point.id}-asks">
<h3 id="${point.id}-asks">${asks}</h3>
<p class="meta"><span class="price">a wrong guess ${prices[cost.cost]}</span> <a class="name" href="#${point.id}"><code>${point.id}</code></a></p>
<dl>
<div><dt>The text</dt><dd>${question.text.map((text) => markup`<p>${inline(text)}</p>`)}</dd></div>
<div><dt>What is open</dt><dd>${inline(point.open)}</dd></div>
<div><dt>A wrong guess</dt><dd>${inline(cost.breaks)}</dd></div>
<div><dt>Concerns</dt><dd>${concerned(question)}</dd></div>
</dl>
${answers(question)}
${example(question)}
${comment(question)}
</article>
`;
}

const operations = operationsOf(loadDocument());

function concerned({ point }: Question): Fragment {
  if (point.operations.length === operations.length) return 'all endpoints';
  const all = operations.filter(({ operationId }) => point.operations.includes(operationId));
  return all.map(({ method, path }, index) => markup`${index > 0 && ', '}<code>${method} ${path}</code>`);
}

/** Plain text whose code is between backticks. */
function inline(text: string): Fragment {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : markup`<code>${part}</code>`));
}

function answers({ point, answers: listed, otherSentence }: Question): Markup {
  return markup`<fieldset>
<legend>Your answer</legend>
<label class="answer"><input type="radio" name="${point.id}" value="" checked> <span>Leave it open. <span class="means">The default holds.</span></span></label>
${listed.map((one) => listedAnswer(point.id, one))}${point.range !== undefined && otherSentence !== undefined && otherAnswer(point.id, point.range, otherSentence)}
</fieldset>`;
}

/** A choice with its sentence, in which the script keeps the values of other open points up to date. */
function listedAnswer(id: string, answer: Answer): Markup {
  const { value, sentence, template, isDefault } = answer;
  const meaning = meaningOf(answer);
  return markup`<label class="answer"><input type="radio" name="${id}" value="${value}" data-kind="${typeof value}" data-says="${template}"> <span><code>${value}</code>${isDefault && markup` <span class="usual">default</span>`} <span class="says">${sentence}</span>${meaning !== undefined && markup` <span class="means">– ${inline(meaning)}</span>`}</span></label>
`;
}

function comment({ point: { id }, asks }: Question): Markup {
  return markup`<details class="remark"><summary>Add a comment</summary>
<textarea data-remark="${id}" rows="3" aria-label="Comment on: ${asks}"></textarea></details>`;
}

function otherAnswer(id: string, range: ChoiceRange, sentence: string): Markup {
  const kind = range.type === 'integer' ? 'number' : 'string';
  return markup`<div class="answer other"><input type="radio" name="${id}" value="*" id="${id}-other" data-kind="${kind}" data-says="${sentence}">
<span><label for="${id}-other">Another one:</label> ${field(id, range)} <span class="means" id="${id}-legal">${legal(range)}</span>
<span class="error" id="${id}-error" hidden>Not accepted, so it is no answer. Legal: ${legal(range)}.</span></span></div>
`;
}

function field(id: string, range: ChoiceRange): Markup {
  const shared = markup`data-for="${id}" aria-label="Another answer" aria-describedby="${id}-legal ${id}-error" autocomplete="off"`;
  if (range.type === 'string')
    return markup`<input type="text" ${shared} pattern="${range.pattern}" data-words="${wordsOf(range.pattern).join(' ')}" required>`;
  const except = range.except?.join(' ') ?? '';
  return markup`<input type="number" ${shared} min="${range.minimum}" max="${range.maximum}" data-except="${except}" required>`;
}

function legal(range: ChoiceRange): string {
  if (range.type === 'string') return legalText(range.pattern);
  const except = range.except === undefined ? '' : `, but not ${range.except.join(', ')}`;
  return `from ${range.minimum} to ${range.maximum}${except}`;
}

function legalText(pattern: string): string {
  const words = wordsOf(pattern);
  if (words.length > 0) return `one or more of ${words.join(', ')}, in any order`;
  const [, most] = /^\^\\P\{C\}\{1,(\d+)\}\$$/.exec(pattern) ?? [];
  if (most === undefined) throw new Error(`docs/questions/html-question.ts has no words for ${pattern}. Add them.`);
  return `1 to ${most} printable characters`;
}

/** The words that may follow `without` in a pattern. */
function wordsOf(pattern: string): string[] {
  return [...pattern.matchAll(/\( (\w+)\)\?/g)].map(([, word = '']) => word);
}

function example({ example: shown }: Question): Markup {
  if (typeof shown === 'string') return markup`<p class="note">No exchange shows it. ${inline(shown)}</p>`;
  return markup`<details class="example" open>
<summary>The same request, two answers</summary>
${shown.assumed.map((text) => markup`<p class="hint">${inline(text)}</p>`)}
${shown.steps.map((step) => exchange(shown.choices, step))}</details>`;
}

function exchange(choices: ShownExample['choices'], { request, answers: [one, two] }: Step): Markup {
  const { method, target, shownHeaders, body } = request;
  const lines = [`${method} ${target}`, ...shownHeaders, ...(body === '' ? [] : [shortened(body)])];
  const both = isSame(one, two)
    ? markup`<div class="reply"><h4>Either way</h4>${answerText(one, one)}</div>`
    : markup`<div class="reply"><h4>With <code>${choices[0]}</code> <span class="usual">default</span></h4>${answerText(one, two)}</div>
<div class="reply"><h4>With <code>${choices[1]}</code></h4>${answerText(two, one)}</div>`;
  return markup`<div class="exchange">
<pre class="request">${lines.join('\n')}</pre>
<div class="replies">${both}</div>
</div>
`;
}

type Step = ShownExample['steps'][number];

/** An answer; the lines that the other one does not have stand out. Of bodies that share nothing, none does unless the codes are the same. */
function answerText(answer: ShownAnswer, other: ShownAnswer): Markup {
  const known = new Set(linesOf(other).map(bare));
  const [head = '', ...rest] = linesOf(answer);
  const isAlike = known.has(head) || rest.some((line) => /\w/.test(line) && known.has(bare(line)));
  const own = (line: string) => !known.has(bare(line)) && (isAlike || answer.headers.includes(line));
  const lines = rest.map((line) => (own(line) ? markup`\n<mark>${line}</mark>` : `\n${line}`));
  return markup`<pre>${known.has(head) ? head : markup`<mark>${head}</mark>`}${lines}</pre>`;
}

const linesOf = ({ status, headers, body }: ShownAnswer) => [status, ...headers, ...(body || '(no body)').split('\n')];
// A comma at the end says nothing.
const bare = (line: string) => line.replace(/,$/, '');
