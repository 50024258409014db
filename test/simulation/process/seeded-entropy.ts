import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Random } from '../random.js';

type Done<T> = (error: null, value: T) => void;

/**
 * Draws everything random in this process from the seed: ids, secrets, nonces, pauses. Only salts of passwords stay random, which
 * nobody outside ever sees.
 */
export function seedEntropy(random: Random): void {
  const fill = (bytes: Uint8Array): void => {
    for (let at = 0; at < bytes.length; at += 4) {
      const drawn = random.bits();
      for (let place = 0; place < 4 && at + place < bytes.length; place += 1)
        bytes[at + place] = (drawn >>> (8 * place)) & 0xff;
    }
  };
  const asBytes = (view: NodeJS.ArrayBufferView) =>
    new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const randomFillSync = <T extends NodeJS.ArrayBufferView>(view: T, offset = 0, size?: number): T => {
    fill(asBytes(view).subarray(offset, size === undefined ? undefined : offset + size));
    return view;
  };
  const randomBytes = (size: number, done?: Done<Buffer>) => {
    const bytes = Buffer.alloc(size);
    fill(bytes);
    if (done === undefined) return bytes;
    process.nextTick(done, null, bytes);
    return undefined;
  };
  const randomInt = (from: number, to?: number | Done<number>, done?: Done<number>) => {
    const [low, high] = typeof to === 'number' ? [from, to] : [0, from];
    const drawn = random.whole(low, high - 1);
    const answer = typeof to === 'function' ? to : done;
    if (answer === undefined) return drawn;
    process.nextTick(answer, null, drawn);
    return undefined;
  };
  const randomUUID = () => {
    const bytes = randomBytes(16)!;
    bytes[6] = (bytes[6]! & 0x0f) | 0x40;
    bytes[8] = (bytes[8]! & 0x3f) | 0x80;
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  };
  Object.assign(crypto, { randomBytes, randomInt, randomUUID, randomFillSync });
  const web = {
    getRandomValues: <T extends NodeJS.ArrayBufferView>(view: T) => randomFillSync(view),
    randomUUID,
  };
  for (const [name, value] of Object.entries(web))
    Object.defineProperty(globalThis.crypto, name, { value, configurable: true });
  Math.random = () => random.bits() / 0x1_0000_0000;
  syncBuiltinESMExports();
}
