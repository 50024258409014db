import { MalformedAnswer, type RpcRefusal } from '../../rpc/rpc-failures.js';

export type AnswerFields = Readonly<Record<string, unknown>>;

export function readFields(answer: unknown, what: string): AnswerFields {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer))
    throw new MalformedAnswer(`${what} is not an object`);
  return answer as AnswerFields;
}

export function readHash(value: unknown, what: string): string {
  if (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)) return value;
  throw new MalformedAnswer(`${what} is not 64 hexadecimal digits`);
}

export function readCount(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new MalformedAnswer(`${what} is not a non-negative number`);
}

export function readBytes(value: unknown, what: string): Buffer {
  if (typeof value === 'string' && value.length % 2 === 0) {
    const bytes = Buffer.from(value, 'hex');
    // `Buffer.from` stops at the first character that is not a hexadecimal digit.
    if (bytes.length * 2 === value.length) return bytes;
  }
  throw new MalformedAnswer(`${what} is not in hexadecimal`);
}

export function readList<T>(value: unknown, what: string, read: (element: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new MalformedAnswer(`${what} is not a list`);
  return value.map(read);
}

/** Error codes of Bitcoin Core, also used by btcd. */
export const RPC_ERROR_CODES = {
  misc: -1,
  notFound: -5,
  outOfRange: -8,
  unknownMethod: -32_601,
  internal: -32_603,
} as const;

export function nullForRefusals(...codes: readonly number[]): (refusal: RpcRefusal) => null {
  return (refusal) => {
    if (codes.includes(refusal.code)) return null;
    throw refusal;
  };
}
