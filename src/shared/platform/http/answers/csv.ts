/** A CSV cell: a number, or untrusted text. */
export type CsvCell = { readonly number: string } | string | undefined;

/**
 * Start of cells that spreadsheets interpret as a formula, also behind quotes or white space (OWASP, "CSV Injection").
 * Includes the apostrophe, so that removing one leading apostrophe always restores the stored string.
 */
const FORMULA = /^['"\s=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const TO_BE_QUOTED = /[",\r\n]|^\s|\s$/;

/** Formats one record with its line end (RFC 4180). */
export function csvRecord(cells: readonly CsvCell[]): string {
  return `${cells.map(written).join(',')}\r\n`;
}

function written(cell: CsvCell): string {
  const text = typeof cell === 'object' ? plainNumber(cell.number) : harmless(cell ?? '');
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** A minus sign before digits is not a formula, so a reversal stays a number. */
function plainNumber(text: string): string {
  if (!PLAIN_NUMBER.test(text))
    throw new Error('A number in CSV may contain only digits, a minus sign and a decimal point.');
  return text;
}
