import { readFileSync } from 'node:fs';

export interface DocumentedTable {
  readonly table: string;
  /** `permanent`, an age, or what bounds it. */
  readonly kept: string;
  /** Rows that one step removes; `–` where nothing is removed in steps. */
  readonly step: string;
}

const PERMANENT = /^### (Permanent[a-z, -]*)\n(.*?)(?=^###? )/gms;
const ROW = /^\| `([a-z_]+\.[a-z_]+)` +\|[^|]+\| ([^|]+?) +\| ([^|]+?) +\|$/gm;

/** The tables of docs/operating/retention.md: lists of permanent ones, and rows of the others. */
export function documentedTables(): DocumentedTable[] {
  const page = readFileSync('docs/operating/retention.md', 'utf8');
  const permanent = [...page.matchAll(PERMANENT)].flatMap(([, heading, list]) =>
    [...list!.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, table]) => ({
      table: table!,
      kept: heading!.toLowerCase(),
      step: '–',
    })),
  );
  const rows = [...page.matchAll(ROW)].map(([, table, kept, step]) => ({
    table: table!,
    kept: kept!,
    step: step!,
  }));
  return [...permanent, ...rows];
}
