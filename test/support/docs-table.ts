import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';

export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const [header, ...others] = rows.map(line);
  return [header, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others].join('\n');
}

/** Expects the table under a heading of a page; with WRITE_DOCS=yes, writes it instead. */
export function expectTable(page: string, heading: string, rows: readonly (readonly string[])[]): void {
  const text = readFileSync(page, 'utf8');
  const table = tableOf(rows);
  const begin = text.indexOf('\n| ', text.indexOf(`\n${heading}\n`)) + 1;
  expectText(page, text, begin, /^(?:\|.*(?:\n|$))+/.exec(text.slice(begin))![0].trimEnd(), table);
}

/** Expects the list right under a heading of a page; with WRITE_DOCS=yes, writes it instead. */
export function expectList(page: string, heading: string, items: readonly string[]): void {
  const text = readFileSync(page, 'utf8');
  const begin = text.indexOf(`\n${heading}\n`) + heading.length + 3;
  const written = text.slice(begin).split('\n\n', 1)[0]!.trimEnd();
  expectText(page, text, begin, written, items.map((item) => `- ${item}`).join('\n'));
}

function expectText(page: string, text: string, begin: number, written: string, right: string): void {
  if (process.env['WRITE_DOCS'] === 'yes')
    writeFileSync(page, text.slice(0, begin) + right + text.slice(begin + written.length));
  else expect(written).toBe(right);
}
