import type { FileTree } from './file-tree.ts';
import { idStreamOf, idsAfterOwn, Organization } from './organizations.ts';
import type { DriveFile } from './resources.ts';

/** The organizations of the seed in their initial state, created on first use and never changed. */
export class Templates {
  readonly #makers: readonly (() => Organization)[];
  readonly #made: (Organization | undefined)[] = [];

  constructor(makers: readonly (() => Organization)[]) {
    this.#makers = makers;
  }

  get size(): number {
    return this.#makers.length;
  }

  at(index: number): Organization | undefined {
    this.#made[index] ??= this.#makers[index]?.();
    return this.#made[index];
  }

  /** A new organization in the same initial state. */
  make(index: number): Organization | undefined {
    return this.#makers[index]?.();
  }

  allBut(index: number | undefined): Organization[] {
    const others = this.#makers.map((_, other) => (other === index ? undefined : this.at(other)));
    return others.filter((other) => other !== undefined);
  }
}

/** How a copy differs from its template. */
interface CopyFacts {
  name: string;
  /** Default: the first id of its own stream. */
  id?: string | undefined;
  /** The name of its id stream. */
  streamName: string;
}

/** A copy of a template with its own ids for new resources. It shares unchanged data with the template. */
export function copyOrganization(template: Organization, { name, id, streamName }: CopyFacts): Organization {
  const { runtime } = template;
  const { count, latestMs } = template.idState;
  const ids = { ...idStreamOf(runtime, streamName), count, latestMs };
  return new Organization(runtime, {
    name,
    id,
    ids: id === undefined ? ids : idsAfterOwn(runtime, ids),
    copyOf: template,
  });
}

/** The files whose status will still change. */
export function pendingIn(files: FileTree): DriveFile[] {
  return files.all().filter(({ next }) => next !== undefined);
}
