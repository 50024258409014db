import { sign, type KeyObject } from 'node:crypto';

/** A verifier finds the public key by these header fields (RFC 7515, section 4.1). */
export interface JwsSigningKey {
  readonly issuer: string;
  readonly keyId: string;
  readonly secretKey: KeyObject;
}

/** Serializes JSON canonically (RFC 8785). Numbers must be integers. */
export function rfc8785Json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(rfc8785Json).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  // RFC 8785 sorts by UTF-16 code units.
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${rfc8785Json(inner)}`).join(',')}}`;
}

/**
 * RFC 7515, appendix F, with Ed25519 (RFC 8037). PASETO tokens use the same keys; the signed bytes start differently,
 * so no signature is valid for both. @param typ the type of document (RFC 7515, section 4.1.9)
 */
export function signDetachedJws(
  payload: string,
  typ: string,
  at: Date,
  { issuer, keyId, secretKey }: JwsSigningKey,
): string {
  const header = { alg: 'EdDSA', typ, iss: issuer, kid: keyId, iat: Math.floor(at.getTime() / 1000) };
  const encoded = encodeBase64Url(JSON.stringify(header));
  const signature = sign(null, Buffer.from(`${encoded}.${encodeBase64Url(payload)}`, 'ascii'), secretKey);
  return `${encoded}..${signature.toString('base64url')}`;
}

function encodeBase64Url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
