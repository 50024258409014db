import { crc32 } from 'node:zlib';

/** Part of the color profile that browsers write into JPEG and WebP images. */
const COLOR_PROFILE = [
  'AAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAAD',
  'TLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABR',
  'nWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAA',
  'BjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4U',
  'AABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAA',
  'AAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxAD',
].join('');

/** Images of 12 × 8 pixels, as written by a browser. */
export const SAMPLE_LOGOS = {
  png: decodeImage([
    'iVBORw0KGgoAAAANSUhEUgAAAAwAAAAICAYAAADN5B7xAAAAPUlEQVR4AZyPwQkAMAgDU1dq95+gnam+lCAoqBBQNCeRi/07EjTLDQdv',
    'mSqGG6oj3s0NHJyJsZ9/iKRsVgAAAP//L+obBwAAAAZJREFUAwDB3iD5rmGULQAAAABJRU5ErkJggg==',
  ]),
  jpeg: decodeImage([
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQE',
    COLOR_PROFILE,
    'b/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEh',
    'gVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAIAAwDASIAAhEBAx',
    'EB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAMG/8QAHBAAAgICAwAAAAAAAAAAAAAAAQIAAxEUIkHw/8QAFQEBAQAAAAAAAAAAAAAAAAAAAw',
    'b/xAAWEQEBAQAAAAAAAAAAAAAAAAAAAhH/2gAMAwEAAhEDEQA/AM4q3bDFmBqxxXsH2ZSIhqyZx//Z',
  ]),
  lossy: decodeImage([
    'UklGRj4CAABXRUJQVlA4WAoAAAAwAAAACwAABwAASUNDUMgBAAA',
    COLOR_PROFILE,
    'ZBTFBIGAAAAAEPMP8REUIh2wgQwvnzHcgPEdH/EASeDlZQOCAwAAAAsAEAnQEqDAAIAALATCWwAnQwQAImAAD+75q4u0f/pN3NGc0nf/',
    '9QZ//qDP08AAAA',
  ]),
  lossless: decodeImage([
    'UklGRg4CAABXRUJQVlA4WAoAAAAwAAAACwAABwAASUNDUMgBAAA',
    COLOR_PROFILE,
    'ZWUDhMIAAAAC8LwAEQDxDDPDPzHzgUspEEIYw/34J8dxAR/Q9j9HwA',
  ]),
};

function decodeImage(base64: readonly string[]): Buffer<ArrayBuffer> {
  return Buffer.from(base64.join(''), 'base64');
}

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Returns the sample image with another size in its header and a correct checksum. */
export function pngWithSize(width: number, height: number): Buffer {
  const head = Buffer.from(SAMPLE_LOGOS.png.subarray(16, 29));
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    SAMPLE_LOGOS.png.subarray(0, 8),
    pngChunk('IHDR', head),
    SAMPLE_LOGOS.png.subarray(33),
  ]);
}
