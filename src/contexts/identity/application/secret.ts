import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Replaces the digest where there is no credential, so that both cases take the same steps. */
const NOBODYS_DIGEST = randomBytes(32);

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256: a secret of 256 random bits cannot be guessed, so a slow hash would protect nothing. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Distinguishes one secret's digest from another's: nothing can be proven with it. */
export function fingerprintOf(digest: Buffer): string {
  return createHash('sha256').update(digest).digest('hex');
}

/** Compares in constant time, also with `null`, which never matches. */
export function secretMatches(secret: string, digest: Buffer | null): boolean {
  const equal = timingSafeEqual(digestOf(secret), digest ?? NOBODYS_DIGEST);
  return equal && digest !== null;
}
