import type { VNode } from 'preact';
import type { QrImage } from './qr-code.js';

/** Wide enough for phones, in CSS pixels. */
const SMALLEST = 240;
const WIDEST = 312;

/** Drawn with a whole number of pixels a module where that comes out wide enough, so that all are of one size. */
export function QrPicture({ image, label }: { image: QrImage; label: string }): VNode {
  const whole = Math.floor(WIDEST / image.size) * image.size;
  const width = whole >= SMALLEST ? whole : WIDEST;
  return (
    <div class="qr">
      <img src={image.source} width={width} height={width} alt={label} />
    </div>
  );
}
