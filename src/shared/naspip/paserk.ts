import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { canonicalBase64Url } from './paseto-v4-public.js';

/**
 * Ed25519 keys (paseto-standard/paserk, types/public.md and types/secret.md). A secret string contains the seed
 * followed by the public key.
 */
const PUBLIC_KEY_PREFIX = 'k4.public.';
const SECRET_KEY_PREFIX = 'k4.secret.';
const KEY_BYTES = 32;

/** The message never contains the string, because it may be a secret. */
export class PaserkInvalid extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** @throws PaserkInvalid unless the string is `k4.public.` followed by 32 bytes */
export function publicKeyFromPaserk(paserk: string): KeyObject {
  const raw = rawBytes(paserk, PUBLIC_KEY_PREFIX, KEY_BYTES);
  return importKey(() =>
    createPublicKey({ format: 'jwk', key: { ...ED25519_JWK, x: raw.toString('base64url') } }),
  );
}

/** @throws PaserkInvalid, also if the public key does not match the seed */
export function secretKeyFromPaserk(paserk: string): KeyObject {
  const raw = rawBytes(paserk, SECRET_KEY_PREFIX, 2 * KEY_BYTES);
  const publicHalf = raw.subarray(KEY_BYTES);
  const jwk = {
    ...ED25519_JWK,
    d: raw.toString('base64url', 0, KEY_BYTES),
    x: publicHalf.toString('base64url'),
  };
  const key = importKey(() => createPrivateKey({ format: 'jwk', key: jwk }));

  // Signing with a public key that does not match the seed can reveal the secret key.
  if (!timingSafeEqual(rawPublicKey(key), publicHalf)) {
    throw new PaserkInvalid('the two halves of the k4.secret key do not match');
  }
  return key;
}

export function paserkOfPublicKey(key: KeyObject): string {
  return PUBLIC_KEY_PREFIX + rawPublicKey(key).toString('base64url');
}

/** @throws PaserkInvalid unless the key is a private Ed25519 key */
export function paserkOfSecretKey(key: KeyObject): string {
  const seed = key.type === 'private' ? key.export({ format: 'jwk' }).d : undefined;
  if (seed === undefined) throw new PaserkInvalid('not a private Ed25519 key');
  return (
    SECRET_KEY_PREFIX +
    Buffer.concat([Buffer.from(seed, 'base64url'), rawPublicKey(key)]).toString('base64url')
  );
}

export function generatePaserkKeyPair(): { secretKey: string; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { secretKey: paserkOfSecretKey(privateKey), publicKey: paserkOfPublicKey(publicKey) };
}

const ED25519_JWK = { kty: 'OKP', crv: 'Ed25519' };

function rawBytes(paserk: string, header: string, length: number): Buffer {
  const raw = paserk.startsWith(header) ? canonicalBase64Url(paserk.slice(header.length)) : undefined;
  if (raw?.length !== length)
    throw new PaserkInvalid(`not a ${header} key, which is ${length} bytes in base64url`);
  return raw;
}

function rawPublicKey(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') throw new PaserkInvalid('not an Ed25519 key');
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function importKey(create: () => KeyObject): KeyObject {
  try {
    return create();
  } catch {
    throw new PaserkInvalid('the bytes are not an Ed25519 key');
  }
}
