import type { Cell } from './cell.js';

const MARKED_CODE = /^[A-Za-z0-9_-]{23}$/;
/** Zero bits, never issued. */
const UNUSED_CODE = 'A'.repeat(23);

/** 128 random bits behind the mark of the cell: whoever knows the code may read what it names. */
export function newMarkedCode(cell: Cell): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return cell.code(Buffer.from(random).toString('base64url'));
}

/** The code itself; in place of a malformed one, or one of another cell, a code that no row has, so that it takes as long. */
export function codeToLookUp(code: string, cell: Cell): string {
  return MARKED_CODE.test(code) && !cell.isElsewhere(code) ? code : UNUSED_CODE;
}
