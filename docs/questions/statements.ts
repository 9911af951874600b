import { loadCoverage } from '../../openapi/contract/load.ts';
import type { OpenPoint } from '../../openapi/contract/open-points.ts';
import { type Unit, unitsOf } from '../../openapi/contract/requirements.ts';

const sections = loadCoverage();
const units = new Map(sections.flatMap((section) => unitsOf(section).map((unit) => [unit.id, unit] as const)));

/** What the specification says where it is silent about an open point. */
export function statementsOf(point: OpenPoint): string[] {
  const told = point.sources.filter((source) => isAbout(source, point.id));
  if (told.length === 0) return ['The text does not mention this.'];
  return told.flatMap((source) => toStatement(titleOfSection(source), units.get(source)) ?? []);
}

// Section 7 leaves open "all other failure cases": that says something of status codes only, and of the body of an
// error only where that is asked.
function isAbout(source: string, id: string): boolean {
  if (source === '7/gap:2') return /Status$|^outOfRangePaging$|^publishUnknownRevision$/.test(id);
  return source !== '7/gap:1' || id === 'errorBody';
}

function toStatement(title: string, unit: Unit | undefined): string | undefined {
  if (unit === undefined) return undefined;
  const { kind, says } = unit;
  if (kind === 'gap') return `${title} leaves out ${says.charAt(0).toLowerCase()}${says.slice(1)}`;
  return `${title}${kind === 'row' ? `, \`${unit.name}\`` : ''}, in our words: ${says}`;
}

/** `Section 2, Drive` of `2.drive/row:id`, `Section 4.4` of `4.4/gap:1`, `Introduction` of `0/sentence:1` */
export function titleOfSection(source: string): string {
  const [number = ''] = source.split('/');
  if (number === '0') return 'Introduction';
  const [whole = '', object] = number.split(/\.(?=[a-z])/i);
  if (object === undefined) return `Section ${whole}`;
  const title = sections.find(({ section }) => section === number)?.title.replace(/^Fields of (?:an?|the) /, '') ?? '';
  return `Section ${whole}, ${title.charAt(0).toUpperCase()}${title.slice(1)}`;
}
