export interface CleanImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

export class InvalidImage extends Error {}

export class ImageBytes {
  private readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  startsWith(...start: readonly number[]): boolean {
    return start.every((byte, at) => this.bytes[at] === byte);
  }

  byte(at: number): number {
    this.requireLength(at + 1);
    return this.view.getUint8(at);
  }

  readUint16(at: number, end: 'big' | 'little' = 'big'): number {
    this.requireLength(at + 2);
    return this.view.getUint16(at, end === 'little');
  }

  readUint32(at: number, end: 'big' | 'little' = 'big'): number {
    this.requireLength(at + 4);
    return this.view.getUint32(at, end === 'little');
  }

  readUint24(at: number): number {
    return this.readUint16(at, 'little') + (this.byte(at + 2) << 16);
  }

  readTag(at: number): string {
    return String.fromCharCode(...this.readPart(at, at + 4));
  }

  readPart(from: number, to: number): Uint8Array {
    this.requireLength(to);
    return this.bytes.subarray(from, to);
  }

  private requireLength(length: number): void {
    if (length > this.bytes.length) throw new InvalidImage('it is truncated.');
  }
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function requireNonZeroSize(width: number, height: number): { width: number; height: number } {
  if (width === 0 || height === 0) throw new InvalidImage('it has no size.');
  return { width, height };
}
