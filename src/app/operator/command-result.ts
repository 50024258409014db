import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';

export interface CommandResult {
  /** Printed as JSON with `--json`, otherwise as lines or a table. Keys are snake_case. */
  readonly data: object;
  readonly note?: string | undefined;
  /** Default: 0. 1 if the command ran but found a problem. */
  readonly exitCode?: number;
}

export function selectFields<Fields extends object>(
  record: Fields,
  ...names: (keyof Fields & string)[]
): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [snakeCase(name), record[name]]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function renderCommandResult({ data, note }: CommandResult): string {
  const parts = [
    isPageBody(data) ? renderPage(data) : Array.isArray(data) ? renderTable(data) : renderRecord(data),
  ];
  if (note !== undefined) parts.push('', note);
  return parts.join('\n');
}

function isPageBody(data: object): data is PageBody<object> {
  return 'total_pages' in data && 'data' in data && Array.isArray(data.data);
}

function renderPage({ data, total, page, total_pages }: PageBody<object>): string {
  return `${renderTable(data)}\n\nPage ${page} of ${total_pages}, ${total} total.`;
}

function renderRecord(record: object): string {
  const lists = Object.entries(record).filter(([, value]) => isListOfRecords(value));
  const cells = flattenCells(
    Object.fromEntries(Object.entries(record).filter((entry) => !isListOfRecords(entry[1]))),
  );
  const width = Math.max(0, ...[...cells.keys()].map((name) => name.length));
  const lines = [...cells].map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd());
  const tables = lists.map(([name, list]) => `\n${name}:\n${indentLines(renderTable(list as object[]))}`);
  return [...lines, ...tables].join('\n');
}

function isListOfRecords(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'object' && one !== null)
  );
}

function indentLines(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

function renderTable(records: readonly object[]): string {
  if (records.length === 0) return 'No results.';
  if (records.some((record) => Object.values(record).some(isListOfRecords)))
    return records.map(renderRecord).join('\n\n');
  const rows = records.map((record) => flattenCells(record));
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const lines = [names, ...rows.map((row) => names.map((name) => row.get(name) ?? ''))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function flattenCells(record: object, prefix = ''): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [name, value] of Object.entries(record)) {
    const key = prefix + name;
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)) {
      for (const [inner, cell] of flattenCells(value as object, `${key}.`)) cells.set(inner, cell);
    } else {
      cells.set(key, Array.isArray(value) ? value.map(formatCell).join(', ') || '-' : formatCell(value));
    }
  }
  return cells;
}

/** Replaces control characters, so that a stored name cannot act on the operator's terminal. */
function formatCell(value: unknown): string {
  return formatValue(value).replace(/\p{Cc}/gu, '?');
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
