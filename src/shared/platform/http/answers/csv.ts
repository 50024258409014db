/** A CSV cell: a number, or untrusted text that may look like a spreadsheet formula. */
export type CsvCell = { readonly number: string } | string | undefined;

/**
 * Start of a text that spreadsheets may interpret as a formula, even after quotes or white space (OWASP, "CSV
 * Injection"). Such a text gets an apostrophe in front. Includes the apostrophe itself, so that removing one leading
 * apostrophe always restores the original text.
 */
const FORMULA_START = /^['"\s=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const TO_BE_QUOTED = /[",\r\n]|^\s|\s$/;

/** Formats one CSV record, including the line end (RFC 4180). */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

function formatCell(cell: CsvCell): string {
  const text = typeof cell === 'object' ? requirePlainNumber(cell.number) : escapeFormula(cell ?? '');
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escapeFormula(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text;
}

/**
 * Returns the number unchanged. It needs no protection against formulas: a minus sign before digits is not a formula.
 */
function requirePlainNumber(text: string): string {
  if (!PLAIN_NUMBER.test(text))
    throw new Error('A number in CSV may contain only digits, a minus sign and a decimal point.');
  return text;
}
