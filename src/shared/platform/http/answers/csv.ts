/** A cell: a number as it is written, or text that anybody may have chosen. */
export type CsvCell = { readonly number: string } | string | undefined;

/**
 * A spreadsheet takes a cell that begins so for a formula, also behind quotes or white space (OWASP, "CSV Injection"). A
 * quote alone is among them, so that who takes one apostrophe off the front of a text has what was stored.
 */
const FORMULA = /^['"\s=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const TO_BE_QUOTED = /[",\r\n]|^\s|\s$/;

/** One record with its line end (RFC 4180). */
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

/** A minus in front of digits alone is no formula: a reversal stays a number. */
function plainNumber(text: string): string {
  if (!PLAIN_NUMBER.test(text))
    throw new Error('A number in CSV may contain only digits, a minus sign and a decimal point.');
  return text;
}
