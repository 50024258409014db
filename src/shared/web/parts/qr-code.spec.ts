import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import QRCode from 'qrcode';
import { oneBitPng, cachedQrImage } from './qr-code.js';

/** Decodes a PNG from `oneBitPng` by the PNG specification. 1 is dark. */
function pixels(png: Buffer): { size: number; dark: number[][] } {
  const chunks: Record<string, Buffer> = {};
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const content = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(content));
    chunks[content.toString('latin1', 0, 4)] = content.subarray(4);
    at += length + 12;
  }
  const header = chunks.IHDR!;
  expect([...header.subarray(8)]).toEqual([1, 0, 0, 0, 0]);
  const size = header.readUInt32BE(0);
  const rows = inflateSync(chunks.IDAT!);
  const rowBytes = Math.ceil(size / 8) + 1;
  const dark = Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (__, x) => 1 - ((rows[y * rowBytes + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1)),
  );
  return { size, dark };
}

describe('A one-bit PNG', () => {
  it('has the given pixels', () => {
    const { dark } = pixels(oneBitPng(9, (x, y) => x === y || x === 8));

    expect(dark[0]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(dark[4]).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});

describe('A QR code', () => {
  it('has its modules within a margin of four light ones', () => {
    const { source, size } = cachedQrImage('ethereum:0xA0b8@1/transfer')!;
    const { modules } = QRCode.create(
      [{ data: new TextEncoder().encode('ethereum:0xA0b8@1/transfer'), mode: 'byte' }],
      {
        errorCorrectionLevel: 'L',
      },
    );

    const shown = pixels(Buffer.from(source.replace(/^.*,/, ''), 'base64'));

    expect([size, shown.size]).toEqual([modules.size + 8, modules.size + 8]);
    const inner = shown.dark.slice(4, -4).map((row) => row.slice(4, -4));
    expect(inner.flat()).toEqual([...modules.data].map(Number));
    expect(shown.dark.flat().filter(Boolean)).toHaveLength(inner.flat().filter(Boolean).length);
  });

  it('encodes capitals and digits in the mode that takes fewer modules', () => {
    const address = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';
    const size = (text: string) => cachedQrImage(`bitcoin:${text}?amount=0.00123456`)!.size;

    expect([size(address), size(address.toUpperCase())]).toEqual([45, 41]);
  });

  it('holds 2,900 bytes and no more', () => {
    expect(cachedQrImage('x'.repeat(2900))).toBeDefined();
    expect(cachedQrImage('x'.repeat(2901))).toBeUndefined();
    expect(cachedQrImage('é'.repeat(1451))).toBeUndefined();
  });
});
