import { loadDocument } from '../../openapi/contract/load.ts';
import type { ChoiceRange } from '../../openapi/contract/open-points.ts';
import { operationsOf } from '../../openapi/contract/operations.ts';
import { type Fragment, type Markup, markup } from '../../reporting/markup.ts';
import { isSame, type PlayedExample, type ShownAnswer, shortened } from './exchanges.ts';
import { prices, type Question } from './questions.ts';

/** One question: what the text says, what a wrong guess costs, the answers to choose from, and an example. */
export function questionArticle(question: Question): Markup {
  const { point, asks, cost } = question;
  return markup`<article class="question cost-${cost.cost}" id="${point.id}" data-operations="${point.operations.join(' ')}" data-section="${question.sections.join(', ')}" aria-labelledby="${point.id}-asks">
<h3 id="${point.id}-asks">${asks ?? 'No question, for the record'}</h3>
<p class="meta"><span class="price">${priceOf(question)}</span> <a class="name" href="#${point.id}"><code>${point.id}</code></a></p>
<dl>
<div><dt>The text</dt><dd>${question.text.map((text) => markup`<p>${inline(text)}</p>`)}</dd></div>
<div><dt>What is open</dt><dd>${inline(point.open)}</dd></div>
<div><dt>A wrong guess</dt><dd>${inline(cost.breaks)}</dd></div>
<div><dt>Concerns</dt><dd>${concerned(question)}</dd></div>
</dl>
${asks === undefined ? markup`<p class="note">${inline(point.question)}</p>` : answers(question)}
${example(question)}
</article>
`;
}

const priceOf = ({ asks, cost }: Question) =>
  asks === undefined ? 'nothing to answer' : `a wrong guess ${prices[cost.cost]}`;

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
${listed.map(
  ({ value, means, sentence, isDefault }) =>
    markup`<label class="answer"><input type="radio" name="${point.id}" value="${value}" data-kind="${typeof value}" data-says="${sentence}"> <span><code>${value}</code>${isDefault && markup` <span class="usual">default</span>`} ${inline(sentence)} <span class="means">– ${inline(means)}</span></span></label>
`,
)}${point.range !== undefined && otherSentence !== undefined && otherAnswer(point.id, point.range, otherSentence)}
</fieldset>`;
}

function otherAnswer(id: string, range: ChoiceRange, sentence: string): Markup {
  const kind = range.type === 'integer' ? 'number' : 'string';
  return markup`<div class="answer other"><input type="radio" name="${id}" value="*" id="${id}-other" data-kind="${kind}" data-says="${sentence}">
<span><label for="${id}-other">Another one:</label> ${field(id, range)} <span class="means" id="${id}-legal">${legal(range)}</span></span></div>
`;
}

function field(id: string, range: ChoiceRange): Markup {
  const shared = markup`data-for="${id}" aria-label="Another answer" aria-describedby="${id}-legal" autocomplete="off"`;
  if (range.type === 'string') return markup`<input type="text" ${shared} pattern="${range.pattern}" required>`;
  const except = range.except?.join(' ') ?? '';
  return markup`<input type="number" ${shared} min="${range.minimum}" max="${range.maximum}" data-except="${except}" required>`;
}

function legal(range: ChoiceRange): string {
  if (range.type === 'string') return 'visible ASCII characters, at most 64';
  const except = range.except === undefined ? '' : `, but not ${range.except.join(', ')}`;
  return `from ${range.minimum} to ${range.maximum}${except}`;
}

function example({ example: shown }: Question): Markup {
  if (typeof shown === 'string') return markup`<p class="note">No exchange shows it. ${inline(shown)}</p>`;
  return markup`<details class="example" open>
<summary>The same request, two answers</summary>
${shown.steps.map((step) => exchange(shown.choices, step))}</details>`;
}

function exchange(choices: PlayedExample['choices'], { request, answers: [one, two] }: Step): Markup {
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

type Step = PlayedExample['steps'][number];

/** An answer; the lines that the other one does not have stand out. Of bodies that share nothing, none does. */
function answerText(answer: ShownAnswer, other: ShownAnswer): Markup {
  const known = new Set(linesOf(other).map(bare));
  const [head = '', ...rest] = linesOf(answer);
  const isAlike = rest.some((line) => /\w/.test(line) && known.has(bare(line)));
  const own = (line: string) => !known.has(bare(line)) && (isAlike || answer.headers.includes(line));
  const lines = rest.map((line) => (own(line) ? markup`\n<mark>${line}</mark>` : `\n${line}`));
  return markup`<pre>${known.has(head) ? head : markup`<mark>${head}</mark>`}${lines}</pre>`;
}

const linesOf = ({ status, headers, body }: ShownAnswer) => [status, ...headers, ...(body || '(no body)').split('\n')];
// A comma at the end says nothing.
const bare = (line: string) => line.replace(/,$/, '');
