import { InvalidImage, requireNonZeroSize, ImageBytes, joinBytes, type CleanImage } from './image-bytes.js';

const START_OF_IMAGE = 0xd8;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
/** Baseline, extended and progressive, Huffman-coded (ITU-T T.81, table B.1). */
const FRAME_MARKERS = [0xc0, 0xc1, 0xc2];
/** A progressive image has about ten scans; each costs the payer's browser a decoding pass. */
export const MAX_JPEG_SCANS = 64;
/** Frames, Huffman tables, quantization tables, the restart interval and scans. */
const KEPT_MARKERS = [...FRAME_MARKERS, 0xc4, 0xdb, 0xdd, START_OF_SCAN];
/** Adobe's segment states the color transform, which decoders would have to guess. */
const ADOBE_SEGMENT_START = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65];
/** Such as EXIF locations and thumbnails, which are removed. */
const isMetadataMarker = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/** @returns undefined if not a JPEG image @throws InvalidImage */
export function cleanJpeg(bytes: Uint8Array): CleanImage | undefined {
  const file = new ImageBytes(bytes);
  if (!file.startsWith(0xff, START_OF_IMAGE, 0xff)) return undefined;
  const parts = [file.readPart(0, 2)];
  let size: { width: number; height: number } | undefined;
  let scans = 0;
  for (let next = 2; ;) {
    const at = skipFillBytes(file, next);
    const marker = file.byte(at + 1);
    if (marker === END_OF_IMAGE) break;
    const to = at + 2 + file.readUint16(at + 2);
    if (FRAME_MARKERS.includes(marker)) {
      if (size !== undefined) throw new InvalidImage('it contains two frames.');
      size = requireNonZeroSize(file.readUint16(at + 7), file.readUint16(at + 5));
    } else if (!KEPT_MARKERS.includes(marker) && !isMetadataMarker(marker)) {
      throw new InvalidImage('it has a JPEG format that browsers do not display.');
    }
    const end = marker === START_OF_SCAN ? findEndOfScan(file, to) : to;
    const segment = file.readPart(at, end);
    if (KEPT_MARKERS.includes(marker) || ADOBE_SEGMENT_START.every((byte, i) => segment[i] === byte))
      parts.push(segment);
    if (marker === START_OF_SCAN) scans += 1;
    if (scans > MAX_JPEG_SCANS) throw new InvalidImage(`it has more than ${MAX_JPEG_SCANS} scans.`);
    next = end;
  }
  if (size === undefined || scans === 0) throw new InvalidImage('it has no pixel data.');
  return { bytes: joinBytes([...parts, Uint8Array.of(0xff, END_OF_IMAGE)]), ...size };
}

function skipFillBytes(file: ImageBytes, from: number): number {
  if (file.byte(from) !== 0xff) throw new InvalidImage('one of its segments has no type.');
  let at = from;
  while (file.byte(at + 1) === 0xff) at += 1;
  return at;
}

/** Stuffed 0xFF bytes and restart markers belong to the scan. */
function findEndOfScan(file: ImageBytes, from: number): number {
  for (let at = from; ; at += 1) {
    if (file.byte(at) !== 0xff) continue;
    const next = file.byte(at + 1);
    const isPartOfScan = next === 0 || (next >= 0xd0 && next <= 0xd7);
    if (!isPartOfScan) return at;
  }
}
