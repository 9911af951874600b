import type { Report } from '../report.ts';

/** The whole report, for programs. The schema is `report.schema.json`. */
export function toJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
