export type CsvCell = { readonly number: string } | string | undefined;

/**
 * Start of a text that spreadsheets may interpret as a formula (OWASP, "CSV Injection"). Includes the apostrophe, so
 * that removing one always restores the text.
 */
const FORMULA_START = /^['"\s=+\-@\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const TO_BE_QUOTED = /[",\r\n]|^\s|\s$/;

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

/** A number needs no protection: a minus sign before digits is not a formula. */
function requirePlainNumber(text: string): string {
  if (!PLAIN_NUMBER.test(text))
    throw new Error('A number in CSV may contain only digits, a minus sign and a decimal point.');
  return text;
}
