import { newId } from './ids.js';

const FIRST_CELL_MARK = '0';
/** 22 base64url characters for 128 random bits, after the cell's mark. Older codes have no mark. */
export const PUBLIC_CODE_LENGTH = 23;

/**
 * One of several installations. Every public code starts with its cell's mark, so that a router finds the cell from
 * the URL (docs/operating/scaling.md).
 */
export class DeploymentCell {
  constructor(
    readonly mark: string = FIRST_CELL_MARK,
    private readonly others: string = '',
  ) {}

  addCellMark(random: string): string {
    return this.mark + random;
  }

  /**
   * This database cannot contain such a code, so no query is needed. @param length of the code, including the mark
   */
  isCodeOfOtherCell(code: string, length = PUBLIC_CODE_LENGTH): boolean {
    return code.length === length && this.others.includes(code.charAt(0));
  }

  /** Generates an id whose last byte is the cell's mark in ASCII, for ids that a router must map to a cell. */
  newMarkedId<T extends string>(): T {
    const id = newId();
    const mark = this.mark.charCodeAt(0).toString(16).padStart(2, '0');
    return `${id.slice(0, 14)}8${id.slice(15, 34)}${mark}` as T;
  }
}

export function parseCellMark(text: string): string {
  if (!/^[A-Za-z0-9]$/.test(text)) throw new Error(`must be one letter or digit, not "${text}".`);
  return text;
}

/** @param own the mark of this cell */
export function parseOtherCells(text: string, own: string): string {
  if (!/^[A-Za-z0-9]*$/.test(text))
    throw new Error(`must be a sequence of letters and digits, one for each other cell, not "${text}".`);
  if (text.includes(own)) throw new Error(`must not contain ${own}, the letter or digit of this cell.`);
  return text;
}

const MARKED_CODE_PATTERN = /^[A-Za-z0-9_-]{23}$/;
const NEVER_ISSUED_CODE = 'A'.repeat(23);

/** Generates a code: the cell's mark and 128 random bits. Knowing the code is enough to read its record. */
export function newPublicCode(cell: DeploymentCell): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return cell.addCellMark(Buffer.from(random).toString('base64url'));
}

/** Replaces a malformed or foreign code with one that is never issued, so that the response time reveals nothing. */
export function codeToLookUp(code: string, cell: DeploymentCell): string {
  return MARKED_CODE_PATTERN.test(code) && !cell.isCodeOfOtherCell(code) ? code : NEVER_ISSUED_CODE;
}
