import { sign, type KeyObject } from 'node:crypto';

/** The header parameters by which a verifier finds the key (RFC 7515, section 4.1). */
export interface SignedBy {
  /** The issuer of the published keys. */
  readonly issuer: string;
  readonly keyId: string;
  readonly secretKey: KeyObject;
}

/** JSON of which there is one spelling (RFC 8785) where, as here, numbers are integers. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  // UTF-16 code units, as the standard sorts.
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`;
}

/**
 * A JWS without its payload (RFC 7515, appendix F) by Ed25519 (RFC 8037). What is signed begins with base64url text, so that no
 * signature of a PASETO, whose signed bytes begin with a binary count, is one of these, although the keys are the same.
 * @param typ names the kind of document (RFC 7515, section 4.1.9)
 */
export function signDetached(
  payload: string,
  typ: string,
  at: Date,
  { issuer, keyId, secretKey }: SignedBy,
): string {
  const header = { alg: 'EdDSA', typ, iss: issuer, kid: keyId, iat: Math.floor(at.getTime() / 1000) };
  const encoded = encode(JSON.stringify(header));
  const signature = sign(null, Buffer.from(`${encoded}.${encode(payload)}`, 'ascii'), secretKey);
  return `${encoded}..${signature.toString('base64url')}`;
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
