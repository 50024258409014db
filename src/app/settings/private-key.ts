import { readFileSync } from 'node:fs';

const PRIVATE_KEY = 'one private key';

/** A private key in a file, with or without `0x`. @throws Error as `secretInFile` */
export function privateKeyInFile(file: string): string {
  return secretInFile(file, PRIVATE_KEY);
}

/** @throws Error as `secretIn` */
export function privateKeyIn(text: string): string {
  return secretIn(text, PRIVATE_KEY);
}

/** @param what it is, for people @throws Error without the path, which may be the secret itself, and without what is in it */
export function secretInFile(file: string, what: string): string {
  let code: string | undefined;
  try {
    return secretIn(readFileSync(file, 'utf8'), what);
  } catch (error) {
    ({ code } = error as NodeJS.ErrnoException);
    if (code === undefined) throw error;
  }
  throw new Error(`must be a file that can be read: ${code}.`);
}

/** 256 bits in hexadecimal digits, with or without `0x`. @throws Error without what the text holds */
export function secretIn(text: string, what: string): string {
  const key = text.trim();
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(key) && !/^(?:0x)?0{64}$/.test(key)) return key;
  throw new Error(`must hold ${what}: 64 hexadecimal digits.`);
}
