import { oneBitPng } from '#shared/web/parts/qr-code.js';

/** Pixels per side. Browsers require these sizes to install a web app. */
export const ICON_SIZES = [192, 512] as const;

/** Number of squares per side of the icon. The outer squares stay dark, so that a launcher can round the corners. */
const SQUARES_PER_SIDE = 24;
/** Left and top of the three QR position marks, in squares. The fourth corner shows a tick. */
const POSITION_MARKS = [
  [5, 5],
  [13, 5],
  [5, 13],
] as const;

export function drawTillIcon(size: number): Buffer {
  return oneBitPng(size, (x, y) => !isWhite((x * SQUARES_PER_SIDE) / size, (y * SQUARES_PER_SIDE) / size));
}

function isWhite(x: number, y: number): boolean {
  return (
    POSITION_MARKS.some(([left, top]) => isInPositionMark(x - left, y - top)) || isInTick(x - 13, y - 13)
  );
}

/** True inside a position mark: a frame of 6 squares around a core of 2. */
function isInPositionMark(x: number, y: number): boolean {
  const fromMiddle = Math.max(Math.abs(x - 3), Math.abs(y - 3));
  return fromMiddle < 1 || (fromMiddle >= 2 && fromMiddle < 3);
}

/** True inside the tick: a short stroke down and a long stroke up, within 6 squares. */
function isInTick(x: number, y: number): boolean {
  const isDown = x >= 0 && x < 2.2 && Math.abs(y - (x + 3)) < 0.9;
  const isUp = x >= 1.5 && x < 6 && Math.abs(y - (7 - x)) < 0.9;
  return isDown || isUp;
}
