import { readFileSync } from 'node:fs';

export interface DocumentedTable {
  readonly table: string;
  /** `permanent`, an age, or what bounds it. */
  readonly kept: string;
  /** Rows that one step removes; `–` where nothing is removed in steps. */
  readonly step: string;
}

/** The tables of docs/operating/retention.md. */
export function documentedTables(): DocumentedTable[] {
  const page = readFileSync('docs/operating/retention.md', 'utf8');
  return [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` +\|[^|]+\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(
    ([, table, kept, step]) => ({ table: table!, kept: kept!, step: step! }),
  );
}
