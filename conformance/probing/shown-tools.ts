import { own, type Sentence, say } from '../../lib/sentence.ts';
import { plural } from '../../lib/text.ts';
import { member } from '../target/expectations.ts';
import type { Reply } from '../target/reply.ts';

/** How many tools a successful response shows; undefined if it is not an object with tools (4.10). */
export function countTools({ json }: Pick<Reply, 'json'>): number | undefined {
  const tools = member(json, 'tools');
  return Array.isArray(tools) ? tools.length : undefined;
}

/** The tools in a successful response in words, to follow its status. */
export function toolsShownIn(reply: Pick<Reply, 'json'>): Sentence {
  const count = countTools(reply);
  return count === undefined ? say`; ${notAnObjectWithTools}` : say`, with ${own(plural(count, 'tool'))}`;
}

export const notAnObjectWithTools = own('its response is not an object with tools');
