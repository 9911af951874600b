import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';

/** The path rule of sections 4.6, 4.7 and 8. */
export class PathRule {
  pattern = /^\/(?!.*(?:^|\/)\.\.(?:\/|$)).*$/;

  accepts(path: string): boolean {
    return path.startsWith('/') && !path.split('/').includes('..') && this.pattern.test(path);
  }

  check(path: unknown): string {
    if (typeof path !== 'string' || !this.accepts(path))
      throw new Failure('invalid', 'path must start with "/" and must not contain ".."');
    return path;
  }
}

export interface Page {
  limit: number;
  offset: number;
}

/** The page rule of sections 4.4 and 8. */
export class PageRule {
  settings: Settings;

  constructor(settings: Settings) {
    this.settings = settings;
  }

  read(query: URLSearchParams): Page {
    return {
      limit: this.integer(
        'limit',
        query.get('limit'),
        this.settings['pagingDefaults.limit'],
        1,
        this.settings.maximumLimit,
      ),
      offset: this.integer('offset', query.get('offset'), 0, 0, Number.MAX_SAFE_INTEGER),
    };
  }

  integer(name: string, text: string | null, fallback: number, least: number, most: number): number {
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < least || value > most) throw new Failure('invalid', `${name} is out of range`);
    return value;
  }
}

export function requiredText(input: Record<string, unknown>, field: string): string {
  const value = input[field];
  if (typeof value !== 'string' || value === '') throw new Failure('invalid', `${field} is required`);
  return value;
}
