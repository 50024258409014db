import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** For a credential that does not exist, so that the response takes the same time. */
const PLACEHOLDER_DIGEST = randomBytes(32);

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Plain SHA-256 is enough: a secret of 256 random bits cannot be guessed. */
export function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export function fingerprintOf(digest: Buffer): string {
  return createHash('sha256').update(digest).digest('hex');
}

/** Constant time. With null, takes equally long and fails. */
export function secretMatches(secret: string, digest: Buffer | null): boolean {
  const equal = timingSafeEqual(digestOf(secret), digest ?? PLACEHOLDER_DIGEST);
  return equal && digest !== null;
}
