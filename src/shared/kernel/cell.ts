import { newId } from './ids.js';

const FIRST_CELL = '0';
/** 22 base64url characters hold 128 random bits. Older codes have no mark and 22 characters. */
export const MARKED_CODE_LENGTH = 23;

/**
 * The cell of this installation. Each public code it generates starts with its mark, so a router can find the cell from the
 * URL (docs/operating/scaling.md).
 */
export class Cell {
  /** @param others marks of the other cells, whose organizations are not stored here */
  constructor(
    readonly mark: string = FIRST_CELL,
    private readonly others: string = '',
  ) {}

  /** @param random base64url characters */
  code(random: string): string {
    return this.mark + random;
  }

  /**
   * True for a code that another cell generated. This database cannot have it, so no query is needed.
   * @param code the caller's input, possibly malformed
   * @param length the length of marked codes of this kind
   */
  isElsewhere(code: string, length = MARKED_CODE_LENGTH): boolean {
    return code.length === length && this.others.includes(code.charAt(0));
  }

  /**
   * Generates an id whose last byte is the mark in ASCII, for ids that a router must map to a cell. The id is a UUIDv8 (RFC
   * 9562), otherwise built like `newId`.
   */
  markedId<T extends string>(): T {
    const id = newId();
    const mark = this.mark.charCodeAt(0).toString(16).padStart(2, '0');
    return `${id.slice(0, 14)}8${id.slice(15, 34)}${mark}` as T;
  }
}

/** @throws Error unless the string is one letter or digit */
export function parseCellMark(text: string): string {
  if (!/^[A-Za-z0-9]$/.test(text)) throw new Error(`must be one letter or digit, not "${text}".`);
  return text;
}

/** @param own the mark of this cell @throws Error */
export function parseOtherCells(text: string, own: string): string {
  if (!/^[A-Za-z0-9]*$/.test(text))
    throw new Error(`must be a sequence of letters and digits, one for each other cell, not "${text}".`);
  if (text.includes(own)) throw new Error(`must not contain ${own}, the letter or digit of this cell.`);
  return text;
}

const MARKED_CODE = /^[A-Za-z0-9_-]{23}$/;
/** Code of 128 zero bits. Never issued. */
const UNUSED_CODE = 'A'.repeat(23);

/** Generates a code: the cell's mark and 128 random bits. Anyone who has the code may read its record. */
export function newMarkedCode(cell: Cell): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return cell.code(Buffer.from(random).toString('base64url'));
}

/** Replaces a malformed code or another cell's code with an unused code, so that the lookup takes equally long. */
export function codeToLookUp(code: string, cell: Cell): string {
  return MARKED_CODE.test(code) && !cell.isElsewhere(code) ? code : UNUSED_CODE;
}
