import { BrokenImage, demandSize, ImageBytes, joined, type CleanImage } from './image-bytes.js';

const HEADER = 12;
/**
 * Flags of the VP8X chunk (RFC 9649, section 2.7). All flags but alpha are cleared, because their chunks are removed.
 */
const ALPHA = 0x10;
const ANIMATION = 0x02;

/** @returns undefined if the file is not a WebP image @throws BrokenImage */
export function cleanWebp(bytes: Uint8Array): CleanImage | undefined {
  const file = new ImageBytes(bytes);
  if (file.length < HEADER || file.tag(0) !== 'RIFF' || file.tag(8) !== 'WEBP') return undefined;
  const end = 8 + file.uint32(4, 'little');
  const parts: Uint8Array[] = [];
  let canvas: Size | undefined;
  let picture: Size | undefined;
  for (let at = HEADER; at < end;) {
    const type = file.tag(at);
    const length = file.uint32(at + 4, 'little');
    const next = at + 8 + length + (length % 2);
    const chunk = file.part(at, next);
    if (type === 'VP8X') {
      if (parts.length > 0) throw new BrokenImage('its chunks are out of order.');
      if ((file.byte(at + 8) & ANIMATION) !== 0)
        throw new BrokenImage('it is animated. Choose an image without animation.');
      canvas = { width: file.uint24(at + 12) + 1, height: file.uint24(at + 15) + 1 };
      parts.push(withOnlyAlpha(chunk));
    } else if (type === 'ALPH') {
      parts.push(chunk);
    } else if (type === 'VP8 ' || type === 'VP8L') {
      if (picture !== undefined) throw new BrokenImage('it contains two images.');
      picture = type === 'VP8L' ? losslessSize(file, at + 8) : lossySize(file, at + 8);
      parts.push(chunk);
    }
    at = next;
  }
  if (picture === undefined) throw new BrokenImage('it has no pixel data.');
  if (canvas !== undefined && (canvas.width !== picture.width || canvas.height !== picture.height))
    throw new BrokenImage('it states two different sizes.');
  return { bytes: riff(parts), ...picture };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads the size of a lossy image (RFC 6386, section 9.1). */
function lossySize(file: ImageBytes, at: number): Size {
  const isKeyFrame = (file.byte(at) & 1) === 0 && file.uint24(at + 3) === 0x2a019d;
  if (!isKeyFrame) throw new BrokenImage('its pixel data is not valid.');
  return demandSize(file.uint16(at + 6, 'little') & 0x3fff, file.uint16(at + 8, 'little') & 0x3fff);
}

/** Reads the size of a lossless image (RFC 9649, section 3.4). */
function losslessSize(file: ImageBytes, at: number): Size {
  if (file.byte(at) !== 0x2f) throw new BrokenImage('its pixel data is not valid.');
  const bits = file.uint32(at + 1, 'little');
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function withOnlyAlpha(chunk: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(chunk);
  copy[8]! &= ALPHA;
  return copy;
}

function riff(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode('RIFF    WEBP');
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  new DataView(head.buffer).setUint32(4, length, true);
  return joined([head, ...parts]);
}
