import type { KeyObject } from 'node:crypto';
import { decodeNaspipMessage, encodeNaspipMessage, type NaspipMessage } from './naspip-message.js';
import type { NaspipClaims, NaspipPayload } from './naspip-payload.js';
import { checkNaspipPayload, checkTokenTimes, type TokenTimes } from './naspip-rules.js';
import { NaspipTokenInvalid } from './naspip-token-invalid.js';
import { publicKeyFromPaserk } from './paserk.js';
import { parseV4Public, signV4Public, verifyV4Public, type ParsedV4Public } from './paseto-v4-public.js';

/** Maximum number of characters. */
export const MAX_NASPIP_TOKEN_LENGTH = 16_384;

const TOKEN_PREFIX = 'naspip';
/** Issuer name or key id: 5 to 20 printable characters except the separator `;` (NASPIP "Key Management"). */
const KEY_NAME_PATTERN = /^[!-:<-~]{5,20}$/;

export interface DecodedNaspipToken {
  issuer: string;
  keyId: string;
  claims: NaspipClaims;
  payload: NaspipPayload;
}

export interface VerifiedNaspipToken extends DecodedNaspipToken, TokenTimes {}

/** A published public key: a PASERK string that starts with `k4.public.`, and its ISO 8601 expiry. */
export interface NaspipPublicKey {
  publicKey: string;
  kep: string;
}

export type NaspipPublicKeys = Record<string, Record<string, NaspipPublicKey>>;

export type NaspipKeyLookup = (issuer: string, keyId: string) => NaspipPublicKey | undefined;

/** Creates a key lookup from the published key document. */
export function keyLookupIn(document: NaspipPublicKeys): NaspipKeyLookup {
  return (issuer, keyId) => {
    const keys = Object.hasOwn(document, issuer) ? document[issuer] : undefined;
    return keys && Object.hasOwn(keys, keyId) ? keys[keyId] : undefined;
  };
}

export function isNaspipKeyName(name: string): boolean {
  return KEY_NAME_PATTERN.test(name);
}

/**
 * Does not check the payload; `NaspipSigner` does. @throws NaspipTokenInvalid `token_oversized` if `decode` would
 * reject the token
 */
export function encodeNaspipToken(
  claims: NaspipClaims & { kis: string; kid: string },
  payload: NaspipPayload,
  secretKey: KeyObject,
  implicitAssertion: Uint8Array,
): string {
  const paseto = signV4Public(encodeNaspipMessage(claims, payload), secretKey, { implicitAssertion });
  const token = `${TOKEN_PREFIX};${claims.kis};${claims.kid};${paseto}`;
  if (token.length > MAX_NASPIP_TOKEN_LENGTH)
    throw new NaspipTokenInvalid('token_oversized', 'shorten the order');
  return token;
}

/** Checks neither signature, times nor amounts. @throws NaspipTokenInvalid */
export function decodeNaspipToken(token: string): DecodedNaspipToken {
  const { issuer, keyId, paseto } = parseParts(token);
  return { issuer, keyId, ...readMessage(paseto.message) };
}

/**
 * Makes all checks that a wallet makes before it displays a payment. Checks the published key expiry too, because a
 * thief can put any `kep`. @throws NaspipTokenInvalid, and no other error
 */
export function verifyNaspipToken(token: string, keys: NaspipKeyLookup, now: Date): VerifiedNaspipToken {
  const { issuer, keyId, paseto } = parseParts(token);
  const key = keys(issuer, keyId);
  if (!key) throw new NaspipTokenInvalid('key_unknown', 'no key is published for its key issuer and key id');
  if (!verifyV4Public(paseto, readKey(key), Buffer.from(key.publicKey, 'ascii'))) {
    throw new NaspipTokenInvalid('signature_invalid', 'its signature does not match its key');
  }

  const { claims, payload } = readMessage(paseto.message);
  if (claims.kis !== issuer)
    throw new NaspipTokenInvalid(
      'key_issuer_mismatch',
      'kis differs from the key issuer at the beginning of the token',
    );
  if (claims.kid !== keyId)
    throw new NaspipTokenInvalid(
      'key_id_mismatch',
      'kid differs from the key id at the beginning of the token',
    );
  checkTokenTimes({ ...claims, kep: key.kep }, now);
  const times = checkTokenTimes(claims, now);
  checkNaspipPayload(payload, times.expiresAt, now);
  return { issuer, keyId, claims, payload, ...times };
}

function parseParts(token: string): { issuer: string; keyId: string; paseto: ParsedV4Public } {
  if (typeof token !== 'string') throw new NaspipTokenInvalid('token_malformed', 'it is not a string');
  if (token.length > MAX_NASPIP_TOKEN_LENGTH) {
    throw new NaspipTokenInvalid(
      'token_oversized',
      `it is longer than ${MAX_NASPIP_TOKEN_LENGTH} characters`,
    );
  }
  const [prefix, issuer, keyId, text, ...rest] = token.split(';');
  if (
    prefix !== TOKEN_PREFIX ||
    issuer === undefined ||
    keyId === undefined ||
    text === undefined ||
    rest.length > 0
  ) {
    throw new NaspipTokenInvalid(
      'token_malformed',
      'it must have the form naspip;{key issuer};{key id};{PASETO}',
    );
  }
  if (!isNaspipKeyName(issuer))
    throw new NaspipTokenInvalid('key_issuer_malformed', 'the key issuer must have 5 to 20 characters');
  if (!isNaspipKeyName(keyId))
    throw new NaspipTokenInvalid('key_id_malformed', 'the key id must have 5 to 20 characters');

  const paseto = parseV4Public(text);
  if (!paseto || paseto.footer.length > 0) {
    throw new NaspipTokenInvalid(
      'paseto_malformed',
      'its last part must be a v4.public PASETO without a footer',
    );
  }
  return { issuer, keyId, paseto };
}

function readMessage(bytes: Uint8Array): { claims: NaspipClaims; payload: NaspipPayload } {
  let message: NaspipMessage;
  try {
    message = decodeNaspipMessage(bytes);
  } catch {
    throw new NaspipTokenInvalid('message_malformed', 'its message is not a NASPIP protocol buffer');
  }
  const { claims, payload } = message;
  if (!payload) throw new NaspipTokenInvalid('payload_missing', 'it has neither a payment nor a URL');
  return { claims, payload };
}

function readKey({ publicKey }: NaspipPublicKey): KeyObject {
  try {
    return publicKeyFromPaserk(publicKey);
  } catch {
    throw new NaspipTokenInvalid('key_malformed', 'its published key is not a k4.public key');
  }
}
