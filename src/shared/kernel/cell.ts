import { newId } from './ids.js';

/** Default mark. */
const FIRST_CELL = '0';
/** 22 characters of base64url are 128 random bits; older codes without a mark have no more. */
export const MARKED_CODE_LENGTH = 23;

/**
 * The cell that this installation is. Its mark is the first character of each public code that it makes, so that a router finds
 * the cell behind a URL by the URL alone (docs/operating/scaling.md).
 */
export class Cell {
  /** @param others marks of the other cells, whose organizations are not stored here */
  constructor(
    readonly mark: string = FIRST_CELL,
    private readonly others: string = '',
  ) {}

  /** @param random characters of base64url */
  code(random: string): string {
    return this.mark + random;
  }

  /**
   * True for a code that another cell generated. No row here can have it, so no query is needed.
   * @param code the caller's input, which may be malformed
   * @param length the length of marked codes of this kind
   */
  isElsewhere(code: string, length = MARKED_CODE_LENGTH): boolean {
    return code.length === length && this.others.includes(code.charAt(0));
  }

  /**
   * Generates an id whose last byte is the mark in ASCII, for ids that a router must map to a cell. It is a UUID of version 8
   * (RFC 9562), otherwise like `newId`. Ids of version 7 have no mark.
   */
  markedId<T extends string>(): T {
    const id = newId();
    const mark = this.mark.charCodeAt(0).toString(16).padStart(2, '0');
    return `${id.slice(0, 14)}8${id.slice(15, 34)}${mark}` as T;
  }
}

/** @throws Error with a sentence, unless it is one letter or digit */
export function parseCellMark(text: string): string {
  if (!/^[A-Za-z0-9]$/.test(text)) throw new Error(`must be one letter or digit, not "${text}".`);
  return text;
}

/** @param own the mark of this cell @throws Error with a sentence */
export function parseOtherCells(text: string, own: string): string {
  if (!/^[A-Za-z0-9]*$/.test(text))
    throw new Error(`must be a sequence of letters and digits, one for each other cell, not "${text}".`);
  if (text.includes(own)) throw new Error(`must not contain ${own}, the letter or digit of this cell.`);
  return text;
}

const MARKED_CODE = /^[A-Za-z0-9_-]{23}$/;
/** The code of 128 zero bits, which is never issued. */
const UNUSED_CODE = 'A'.repeat(23);

/** Generates a code: the mark of the cell and 128 random bits. Anyone who knows it may read the record that it names. */
export function newMarkedCode(cell: Cell): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return cell.code(Buffer.from(random).toString('base64url'));
}

/** Replaces a malformed code, or one of another cell, by a code that no row has, so that the lookup takes as long. */
export function codeToLookUp(code: string, cell: Cell): string {
  return MARKED_CODE.test(code) && !cell.isElsewhere(code) ? code : UNUSED_CODE;
}
