export interface Weight {
  title: string;
  packages: number;
  bytes: number;
}

/** What each dependency brings that no other one does, in a project in which the package is installed. */
export function weigh(project: string): Weight[];

/** The weights as a table in Markdown. */
export function toTable(weights: readonly Weight[]): string;
