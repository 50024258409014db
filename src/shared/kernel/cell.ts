import { newId } from './ids.js';

/** The mark of an installation whose settings name none. */
const FIRST_CELL = '0';
/** 22 characters of base64url are 128 random bits; codes made before there were marks have no more. */
export const MARKED_CODE_LENGTH = 23;

/**
 * The cell that this installation is. Its mark is the first character of each public code that it makes, so that a router finds
 * the cell behind a URL by the URL alone (docs/operating/scaling.md).
 */
export class Cell {
  /** @param others marks of cells none of whose organizations lives here */
  constructor(
    readonly mark: string = FIRST_CELL,
    private readonly others: string = '',
  ) {}

  /** @param random characters of base64url */
  code(random: string): string {
    return this.mark + random;
  }

  /**
   * True for a code that another cell has made and that no row here can have, so that it is unknown without a look.
   * @param code the caller's own spelling; it may be anything
   * @param length the length of marked codes of this kind
   */
  isElsewhere(code: string, length = MARKED_CODE_LENGTH): boolean {
    return code.length === length && this.others.includes(code.charAt(0));
  }

  /**
   * A fresh id whose last byte is the mark in ASCII, for ids that a router must place. It is a UUID of version 8 (RFC 9562), in all
   * else like `newId`; ids of version 7 have no mark.
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
