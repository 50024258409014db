import { readFileSync } from 'node:fs';

/** A private key in a file, with or without `0x`. @throws Error without the path, which may be the key itself, and without what is in it */
export function privateKeyInFile(file: string): string {
  let code: string | undefined;
  try {
    return privateKeyIn(readFileSync(file, 'utf8'));
  } catch (error) {
    ({ code } = error as NodeJS.ErrnoException);
    if (code === undefined) throw error;
  }
  throw new Error(`must be a file that can be read: ${code}.`);
}

/** @throws Error without what the text holds */
export function privateKeyIn(text: string): string {
  const key = text.trim();
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(key) && !/^(?:0x)?0{64}$/.test(key)) return key;
  throw new Error('must hold one private key: 64 hexadecimal digits.');
}
