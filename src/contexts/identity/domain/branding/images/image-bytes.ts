/** An image file reduced to the data needed to display it. */
export interface CleanImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** The file starts like an image of a supported format but is malformed. The message is a clause for people. */
export class BrokenImage extends Error {}

/** Reads numbers and parts of an image file. Reading past the end throws `BrokenImage`. */
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
    this.demand(at + 1);
    return this.view.getUint8(at);
  }

  /** @param end byte order; `little` puts the least significant byte first */
  uint16(at: number, end: 'big' | 'little' = 'big'): number {
    this.demand(at + 2);
    return this.view.getUint16(at, end === 'little');
  }

  uint32(at: number, end: 'big' | 'little' = 'big'): number {
    this.demand(at + 4);
    return this.view.getUint32(at, end === 'little');
  }

  uint24(at: number): number {
    return this.uint16(at, 'little') + (this.byte(at + 2) << 16);
  }

  /** Returns four bytes as ASCII text, such as a chunk type. */
  tag(at: number): string {
    return String.fromCharCode(...this.part(at, at + 4));
  }

  part(from: number, to: number): Uint8Array {
    this.demand(to);
    return this.bytes.subarray(from, to);
  }

  private demand(length: number): void {
    if (length > this.bytes.length) throw new BrokenImage('it is truncated.');
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @throws BrokenImage if the width or height is zero */
export function demandSize(width: number, height: number): { width: number; height: number } {
  if (width === 0 || height === 0) throw new BrokenImage('it has no size.');
  return { width, height };
}
