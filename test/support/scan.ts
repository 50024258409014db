import type { Locator } from 'playwright-core';
import QRCode from 'qrcode';

const QUIET_ZONE = 4;

/** Rows of the QR code that stands for a text, in bytes or in the modes that make it smallest; # is dark. */
export function modulesOf(text: string, mode: 'bytes' | 'smallest' = 'bytes'): string[] {
  const segments = mode === 'smallest' ? text : [{ data: Buffer.from(text), mode: 'byte' as const }];
  const { modules } = QRCode.create(segments, { errorCorrectionLevel: 'L' });
  const range = Array.from({ length: modules.size }, (_, i) => i);
  return range.map((y) => range.map((x) => (modules.get(y, x) === 1 ? '#' : '.')).join(''));
}

/** Looks at the screen as a camera would: at the middle of each module within the quiet zone. */
export async function scan(image: Locator, size: number): Promise<string[]> {
  const picture = (await image.screenshot()).toString('base64');
  return image.page().evaluate(rowsOf, { picture, size, margin: QUIET_ZONE });
}

async function rowsOf(seen: { picture: string; size: number; margin: number }): Promise<string[]> {
  const image = new Image();
  image.src = `data:image/png;base64,${seen.picture}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(image, 0, 0);
  const at = (i: number) =>
    Math.floor(((i + seen.margin + 0.5) * image.width) / (seen.size + 2 * seen.margin));
  const range = Array.from({ length: seen.size }, (_, i) => i);
  const isDark = (x: number, y: number) => context.getImageData(at(x), at(y), 1, 1).data[0]! < 128;
  return range.map((y) => range.map((x) => (isDark(x, y) ? '#' : '.')).join(''));
}
