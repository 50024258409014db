import { InvalidImage, requireNonZeroSize, ImageBytes, joinBytes, type CleanImage } from './image-bytes.js';

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** PNG specification, section 11. Others, such as texts, are removed. */
const KEPT_CHUNK_TYPES = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'];
const CHUNK_OVERHEAD_BYTES = 12;

/** @returns undefined if not a PNG image @throws InvalidImage */
export function cleanPng(bytes: Uint8Array): CleanImage | undefined {
  const file = new ImageBytes(bytes);
  if (!file.startsWith(...PNG_SIGNATURE)) return undefined;
  if (file.readTag(12) !== 'IHDR' || file.readUint32(8) !== 13)
    throw new InvalidImage('it does not begin with IHDR.');
  const size = requireNonZeroSize(file.readUint32(16), file.readUint32(20));
  const parts = [file.readPart(0, PNG_SIGNATURE.length)];
  let hasPixels = false;
  for (let at = PNG_SIGNATURE.length, type = ''; type !== 'IEND';) {
    type = file.readTag(at + 4);
    const chunk = file.readPart(at, at + CHUNK_OVERHEAD_BYTES + file.readUint32(at));
    const isSecondHead = type === 'IHDR' && at > PNG_SIGNATURE.length;
    if (isSecondHead || (isCriticalChunk(type) && !KEPT_CHUNK_TYPES.includes(type)))
      throw new InvalidImage(`it has a chunk of the unknown type ${type}.`);
    if (crc32(chunk.subarray(4, -4)) !== file.readUint32(at + chunk.length - 4))
      throw new InvalidImage('a checksum is wrong.');
    if (KEPT_CHUNK_TYPES.includes(type)) parts.push(chunk);
    hasPixels ||= type === 'IDAT';
    at += chunk.length;
  }
  if (!hasPixels) throw new InvalidImage('it has no pixel data.');
  return { bytes: joinBytes(parts), ...size };
}

/** An uppercase first letter marks critical chunks, which no decoder may ignore. */
function isCriticalChunk(type: string): boolean {
  if (!/^[A-Za-z]{4}$/.test(type)) throw new InvalidImage('one of its chunks has no type.');
  return /^[A-Z]/.test(type);
}

const CRC32_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ CRC32_TABLE[(value ^ byte) & 0xff]!;
  return (value ^ 0xffffffff) >>> 0;
}
