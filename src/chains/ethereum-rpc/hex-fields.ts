import { MalformedAnswer } from '../rpc/rpc-failures.js';

export type JsonFields = Readonly<Record<string, unknown>>;

const WORD = /^0x[0-9a-fA-F]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const CAPITAL = /[A-F]/;

export function readFields(value: unknown, what: string): JsonFields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonFields;
  throw new MalformedAnswer(`${what} is not an object`);
}

/** Reads a 32-byte value in hex. Returns it in lower case. */
export function readWord(value: unknown, name: string): string {
  if (typeof value === 'string' && WORD.test(value)) return toLowerCase(value);
  throw new MalformedAnswer(`${name} is not 32 bytes in hex`);
}

export function readAddressField(value: unknown, name: string): string {
  if (typeof value === 'string' && ADDRESS.test(value)) return toLowerCase(value);
  throw new MalformedAnswer(`${name} is not 20 bytes in hex`);
}

export function readBytesField(value: unknown, name: string): string {
  if (typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value))
    return toLowerCase(value);
  throw new MalformedAnswer(`${name} is not bytes in hex`);
}

/** Reads a hexadecimal quantity that fits a safe integer. @throws MalformedAnswer */
export function readQuantity(value: unknown, name: string): number {
  const number = typeof value === 'string' && /^0x[0-9a-fA-F]{1,14}$/.test(value) ? Number(value) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new MalformedAnswer(`${name} is not a quantity`);
}

/** Reads an EVM quantity of up to 256 bits. @throws MalformedAnswer */
export function readAmount(value: unknown, name: string): bigint {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)) return BigInt(value);
  throw new MalformedAnswer(`${name} is not a quantity`);
}

export function toHexQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}

/** Checks first, because nearly all nodes already return lower case. */
function toLowerCase(value: string): string {
  return CAPITAL.test(value) ? value.toLowerCase() : value;
}
