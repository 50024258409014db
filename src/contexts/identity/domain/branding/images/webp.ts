import { InvalidImage, requireNonZeroSize, ImageBytes, joinBytes, type CleanImage } from './image-bytes.js';

const RIFF_HEADER_BYTES = 12;
/** VP8X (RFC 9649, section 2.7). All flags but alpha are cleared, because their chunks are removed. */
const ALPHA_FLAG = 0x10;
const ANIMATION_FLAG = 0x02;

/** @returns undefined if not a WebP image @throws InvalidImage */
export function cleanWebp(bytes: Uint8Array): CleanImage | undefined {
  const file = new ImageBytes(bytes);
  if (file.length < RIFF_HEADER_BYTES || file.readTag(0) !== 'RIFF' || file.readTag(8) !== 'WEBP')
    return undefined;
  const end = 8 + file.readUint32(4, 'little');
  const parts: Uint8Array[] = [];
  let canvas: WebpSize | undefined;
  let picture: WebpSize | undefined;
  for (let at = RIFF_HEADER_BYTES; at < end;) {
    const type = file.readTag(at);
    const length = file.readUint32(at + 4, 'little');
    const next = at + 8 + length + (length % 2);
    const chunk = file.readPart(at, next);
    if (type === 'VP8X') {
      if (parts.length > 0) throw new InvalidImage('its chunks are out of order.');
      if ((file.byte(at + 8) & ANIMATION_FLAG) !== 0)
        throw new InvalidImage('it is animated. Choose an image without animation.');
      canvas = { width: file.readUint24(at + 12) + 1, height: file.readUint24(at + 15) + 1 };
      parts.push(keepOnlyAlphaFlag(chunk));
    } else if (type === 'ALPH') {
      parts.push(chunk);
    } else if (type === 'VP8 ' || type === 'VP8L') {
      if (picture !== undefined) throw new InvalidImage('it contains two images.');
      picture = type === 'VP8L' ? readLosslessSize(file, at + 8) : readLossySize(file, at + 8);
      parts.push(chunk);
    }
    at = next;
  }
  if (picture === undefined) throw new InvalidImage('it has no pixel data.');
  if (canvas !== undefined && (canvas.width !== picture.width || canvas.height !== picture.height))
    throw new InvalidImage('it states two different sizes.');
  return { bytes: buildRiffFile(parts), ...picture };
}

interface WebpSize {
  readonly width: number;
  readonly height: number;
}

/** Size of a lossy image (RFC 6386, section 9.1). */
function readLossySize(file: ImageBytes, at: number): WebpSize {
  const isKeyFrame = (file.byte(at) & 1) === 0 && file.readUint24(at + 3) === 0x2a019d;
  if (!isKeyFrame) throw new InvalidImage('its pixel data is not valid.');
  return requireNonZeroSize(
    file.readUint16(at + 6, 'little') & 0x3fff,
    file.readUint16(at + 8, 'little') & 0x3fff,
  );
}

/** Size of a lossless image (RFC 9649, section 3.4). */
function readLosslessSize(file: ImageBytes, at: number): WebpSize {
  if (file.byte(at) !== 0x2f) throw new InvalidImage('its pixel data is not valid.');
  const bits = file.readUint32(at + 1, 'little');
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function keepOnlyAlphaFlag(chunk: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(chunk);
  copy[8]! &= ALPHA_FLAG;
  return copy;
}

function buildRiffFile(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode('RIFF    WEBP');
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  new DataView(head.buffer).setUint32(4, length, true);
  return joinBytes([head, ...parts]);
}
