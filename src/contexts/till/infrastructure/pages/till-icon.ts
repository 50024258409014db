import { oneBitPng } from '#shared/web/parts/qr-code.js';

/** Browsers require these sizes to install a web app. */
export const ICON_SIZES = [192, 512] as const;

const SQUARES_PER_SIDE = 24;
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

function isInPositionMark(x: number, y: number): boolean {
  const fromMiddle = Math.max(Math.abs(x - 3), Math.abs(y - 3));
  return fromMiddle < 1 || (fromMiddle >= 2 && fromMiddle < 3);
}

function isInTick(x: number, y: number): boolean {
  const isDown = x >= 0 && x < 2.2 && Math.abs(y - (x + 3)) < 0.9;
  const isUp = x >= 1.5 && x < 6 && Math.abs(y - (7 - x)) < 0.9;
  return isDown || isUp;
}
