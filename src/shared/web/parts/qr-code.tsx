import { LRUCache } from 'lru-cache';
import QRCode from 'qrcode';
import { crc32, deflateSync } from 'node:zlib';
import type { VNode } from 'preact';

export interface QrImage {
  /** `data:` URL of a PNG with one pixel per module of the QR code. */
  readonly source: string;
  /** Modules per side, including the white margin. */
  readonly size: number;
}

/** Drawing a QR code takes about 15 ms. A full cache takes about 15 MB. */
const qrImageCache = new LRUCache<string, QrImage>({ max: 5_000 });

/** Maximum length of the text, slightly below the capacity of the largest QR code at the lowest error correction. */
const MAX_QR_BYTES = 2900;
/**
 * Such a run needs fewer modules in a separate segment. Other texts are not split, because the search for the best
 * split would take about 40 ms.
 */
const ALPHANUMERIC_RUN = /[0-9A-Z $%*+\-./:]{41}/;
/** Width of the white margin in modules, required by ISO 18004. */
const QUIET_ZONE = 4;

/** A bitmap compresses to half the size of an SVG path. @returns undefined if the text is too long */
export function cachedQrImage(text: string): QrImage | undefined {
  const known = qrImageCache.get(text);
  if (known !== undefined) return known;
  const image = createQrImage(text);
  if (image !== undefined) qrImageCache.set(text, image);
  return image;
}

/** For text that must not stay in memory. @returns undefined if the text is too long */
export function createQrImage(text: string): QrImage | undefined {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MAX_QR_BYTES) return undefined;
  const segments = ALPHANUMERIC_RUN.test(text) ? text : [{ data: bytes, mode: 'byte' as const }];
  const { modules } = QRCode.create(segments, { errorCorrectionLevel: 'L' });
  const size = modules.size + 2 * QUIET_ZONE;
  const isDark = (x: number, y: number): boolean => {
    const inside = (at: number): boolean => at >= QUIET_ZONE && at < size - QUIET_ZONE;
    return inside(x) && inside(y) && modules.get(y - QUIET_ZONE, x - QUIET_ZONE) === 1;
  };
  return { source: `data:image/png;base64,${oneBitPng(size, isDark).toString('base64')}`, size };
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Encodes a square black and white PNG with one bit per pixel, without optional chunks. */
export function oneBitPng(size: number, isDark: (x: number, y: number) => boolean): Buffer {
  const rowBytes = Math.ceil(size / 8) + 1;
  const rows = Buffer.alloc(rowBytes * size);
  for (let y = 0; y < size; y += 1) {
    // Each row of a PNG starts with its filter, 0 for none. A set bit is white.
    for (let x = 0; x < size; x += 1) {
      if (!isDark(x, y)) rows[y * rowBytes + 1 + (x >> 3)]! |= 0x80 >> (x & 7);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1;
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  content.copy(framed, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}

/** Minimum displayed width in CSS pixels, so that phones can scan the QR code. */
const MIN_WIDTH_PIXELS = 240;
const MAX_WIDTH_PIXELS = 312;

interface QrPictureProps {
  readonly image: QrImage;
  readonly label: string;
  /** Says what to do with the QR code. */
  readonly caption?: string;
  /** Maximum displayed width in CSS pixels. */
  readonly widest?: number;
}

/** A whole number of pixels per module, if the QR code is then still wide enough. */
export function QrPicture({ image, label, caption, widest = MAX_WIDTH_PIXELS }: QrPictureProps): VNode {
  const whole = Math.floor(widest / image.size) * image.size;
  const width = whole >= Math.min(MIN_WIDTH_PIXELS, (widest * 3) / 4) ? whole : widest;
  return (
    <div class="qr">
      <img src={image.source} width={width} height={width} alt={label} />
      {caption !== undefined && <p class="note">{caption}</p>}
    </div>
  );
}
