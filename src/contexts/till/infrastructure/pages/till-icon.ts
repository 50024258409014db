import { oneBitPng } from '#shared/web/parts/qr-code.js';

/** Pixels per side. Browsers require these sizes before they install a page. */
export const ICON_SIZES = [192, 512] as const;

/** Squares per side. The outer squares stay dark, so that a launcher can round them off. */
const SQUARES = 24;
/** Three position marks of a QR code; the fourth corner has the tick. */
const MARKS = [
  [5, 5],
  [13, 5],
  [5, 13],
] as const;

export function tillIcon(size: number): Buffer {
  return oneBitPng(size, (x, y) => !isWhite((x * SQUARES) / size, (y * SQUARES) / size));
}

function isWhite(x: number, y: number): boolean {
  return MARKS.some(([left, top]) => isMark(x - left, y - top)) || isTick(x - 13, y - 13);
}

/** A frame of 6 squares with a core of 2. */
function isMark(x: number, y: number): boolean {
  const fromMiddle = Math.max(Math.abs(x - 3), Math.abs(y - 3));
  return fromMiddle < 1 || (fromMiddle >= 2 && fromMiddle < 3);
}

/** A short stroke down and a long stroke up, in 6 squares. */
function isTick(x: number, y: number): boolean {
  const isDown = x >= 0 && x < 2.2 && Math.abs(y - (x + 3)) < 0.9;
  const isUp = x >= 1.5 && x < 6 && Math.abs(y - (7 - x)) < 0.9;
  return isDown || isUp;
}
