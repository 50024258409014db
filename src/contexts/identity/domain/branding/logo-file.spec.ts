import { describe, expect, it } from '@jest/globals';
import { pngChunk, pngWithSize, SAMPLE_LOGOS } from '../../testing/sample-logos.js';
import { MAX_JPEG_SCANS } from './images/jpeg.js';
import { MAX_LOGO_BYTES, cleanUploadedLogo } from './logo-file.js';

const { png, jpeg, lossy, lossless } = SAMPLE_LOGOS;
const IEND = 12;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const cat = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const putIn = (bytes: Buffer, at: number, part: Uint8Array | string) =>
  cat(bytes.subarray(0, at), part, bytes.subarray(at));
const changed = (bytes: Buffer, at: number, byte: number) => {
  const copy = Buffer.from(bytes);
  copy[at] = byte;
  return copy;
};
const inPng = (chunk: Buffer) => putIn(png, png.length - IEND, chunk);
const withScans = (count: number) => {
  const [at, end] = [jpeg.indexOf('\xff\xda', 0, 'latin1'), jpeg.length - 2];
  return cat(jpeg.subarray(0, at), ...Array<Buffer>(count).fill(jpeg.subarray(at, end)), jpeg.subarray(end));
};
const EXIF = cat('\xff\xe1\0\x11Exif\0\0GPS 52.52');

function refusalOf(bytes: Uint8Array): string {
  try {
    cleanUploadedLogo(bytes);
    return 'accepted';
  } catch (error) {
    const [{ field, rule }] = (error as { errors: [{ field: string; rule: string }] }).errors;
    return `${field} ${rule}`;
  }
}

describe('A logo', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/webp', lossy],
    ['image/webp', lossless],
  ])('is recognized by its content: %s', (type, bytes) => {
    const logo = cleanUploadedLogo(bytes);

    expect(logo).toMatchObject({ type, width: 12, height: 8 });
    expect(cleanUploadedLogo(logo.bytes).bytes).toEqual(logo.bytes);
  });

  it('keeps only the picture, without profile, location, text, animation or trailing bytes', () => {
    expect(
      cleanUploadedLogo(cat(inPng(pngChunk('tEXt', Buffer.from('Comment\0<script>'))), '<script>')).bytes,
    ).toEqual(Uint8Array.from(png));
    expect(cleanUploadedLogo(inPng(pngChunk('acTL', Buffer.alloc(8)))).bytes).toEqual(Uint8Array.from(png));

    const bare = cleanUploadedLogo(jpeg).bytes;
    expect([text(jpeg), text(bare)].map((all) => all.includes('ICC_PROFILE'))).toEqual([true, false]);
    expect(cleanUploadedLogo(cat(putIn(jpeg, 2, EXIF), '<script>')).bytes).toEqual(bare);
    expect(cleanUploadedLogo(putIn(jpeg, 2, cat('\xff\xef\0\x04ab'))).bytes).toEqual(bare);
    const restarts = cleanUploadedLogo(putIn(jpeg, jpeg.length - 2, cat('\xff\xd0\xff\xd7'))).bytes;
    expect(text(restarts)).toContain('\xff\xd0\xff\xd7');

    for (const webp of [lossy, lossless]) {
      const clean = cleanUploadedLogo(cat(webp, '<script>')).bytes;
      expect(text(webp)).toContain('ICCP');
      expect(text(clean)).not.toMatch(/ICCP|script/);
      expect(clean[20]! & ~0x10).toBe(0);
    }
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a GIF', 'GIF89a\x01\0\x01\0\0\0\0;'],
    ['the beginning of a PNG', '\x89PNG'],
  ])('is rejected if it is %s', (_, content) => {
    expect(refusalOf(cat(content))).toBe('logo image');
  });

  it.each([
    ['a PNG that ends early', png.subarray(0, png.length - 1)],
    ['a PNG without pixels', cat(png.subarray(0, 33), png.subarray(png.length - IEND))],
    ['a PNG with a wrong check sum', changed(png, 50, png[50]! ^ 1)],
    ['a PNG with a second head', inPng(pngChunk('IHDR', png.subarray(16, 29)))],
    ['a PNG with a part that no reader may skip', inPng(pngChunk('EVIL', Buffer.alloc(4)))],
    ['a PNG whose part is longer than the file', changed(png, 33, 0x7f)],
    ['a PNG without a size', pngWithSize(0, 8)],
    ['a JPEG that ends early', jpeg.subarray(0, jpeg.length - 2)],
    ['a JPEG without pixels', cat('\xff\xd8\xff\xd9')],
    ['a JPEG of arithmetic coding', cat('\xff\xd8\xff\xc9\0\x04\0\0\xff\xd9')],
    ['a JPEG of endless scans', withScans(MAX_JPEG_SCANS + 1)],
    ['a WebP that ends early', lossy.subarray(0, lossy.length - 2)],
    ['a WebP that moves', changed(lossless, 20, 0x32)],
    ['a WebP whose two sizes differ', changed(lossless, 24, 0xff)],
  ])('is rejected if it is %s', (_, bytes) => {
    expect(refusalOf(bytes)).toBe('logo image');
  });

  it.each([
    ['too wide', pngWithSize(2_049, 8), 'logo pixels'],
    ['a bomb', pngWithSize(0xffff_ffff, 0xffff_ffff), 'logo pixels'],
    ['of the largest width and height', pngWithSize(2_048, 2_048), 'accepted'],
    ['of the largest number of scans', withScans(MAX_JPEG_SCANS), 'accepted'],
    ['of the largest size in bytes', cat(png, Buffer.alloc(MAX_LOGO_BYTES - png.length)), 'accepted'],
    ['a byte too large', cat(png, Buffer.alloc(MAX_LOGO_BYTES + 1 - png.length)), 'logo bytes'],
  ])('is checked against the limits of size: %s', (_, bytes, answer) => {
    expect(refusalOf(bytes)).toBe(answer);
  });
});
