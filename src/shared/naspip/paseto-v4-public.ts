import { sign, verify, type KeyObject } from 'node:crypto';

/**
 * PASETO v4.public over raw bytes (paseto-spec, Version4.md, "Sign" and "Verify"). npm libraries require JSON claims,
 * and NASPIP's claims are protobuf.
 */
const HEADER = 'v4.public.';
const HEADER_BYTES = Buffer.from(HEADER, 'ascii');
const SIGNATURE_BYTES = 64;
const NO_BYTES = new Uint8Array();

export interface ParsedV4Public {
  message: Uint8Array;
  signature: Uint8Array;
  footer: Uint8Array;
}

export interface PasetoAuthenticatedData {
  footer?: Uint8Array;
  implicitAssertion?: Uint8Array;
}

/** PAE (paseto-spec, Common.md). Counts and lengths are 64-bit little-endian. */
export function preAuthenticationEncoding(pieces: readonly Uint8Array[]): Buffer {
  const encoded = Buffer.alloc(pieces.reduce((size, piece) => size + 8 + piece.length, 8));
  encoded.writeBigUInt64LE(BigInt(pieces.length), 0);
  let offset = 8;
  for (const piece of pieces) {
    encoded.writeBigUInt64LE(BigInt(piece.length), offset);
    encoded.set(piece, offset + 8);
    offset += 8 + piece.length;
  }
  return encoded;
}

export function signV4Public(
  message: Uint8Array,
  secretKey: KeyObject,
  extras: PasetoAuthenticatedData = {},
): string {
  requireEd25519(secretKey);
  const footer = extras.footer ?? NO_BYTES;

  const signature = sign(null, encodeSignedBytes(message, footer, extras.implicitAssertion), secretKey);

  const body = Buffer.concat([message, signature]).toString('base64url');
  return footer.length === 0
    ? HEADER + body
    : `${HEADER}${body}.${Buffer.from(footer).toString('base64url')}`;
}

export function parseV4Public(token: string): ParsedV4Public | undefined {
  if (!token.startsWith(HEADER)) return undefined;
  const [body, footer, ...rest] = token.slice(HEADER.length).split('.');
  if (body === undefined || rest.length > 0 || footer === '') return undefined;

  const signed = canonicalBase64Url(body);
  const footerBytes = canonicalBase64Url(footer ?? '');
  if (signed === undefined || footerBytes === undefined || signed.length < SIGNATURE_BYTES) return undefined;
  const end = signed.length - SIGNATURE_BYTES;
  return { message: signed.subarray(0, end), signature: signed.subarray(end), footer: footerBytes };
}

export function verifyV4Public(
  token: ParsedV4Public,
  publicKey: KeyObject,
  implicitAssertion?: Uint8Array,
): boolean {
  requireEd25519(publicKey);
  return verify(
    null,
    encodeSignedBytes(token.message, token.footer, implicitAssertion),
    publicKey,
    token.signature,
  );
}

function encodeSignedBytes(
  message: Uint8Array,
  footer: Uint8Array,
  implicitAssertion: Uint8Array = NO_BYTES,
): Buffer {
  return preAuthenticationEncoding([HEADER_BYTES, message, footer, implicitAssertion]);
}

/** PASETO forbids using a key with another algorithm than the one its version prescribes ("Algorithm Lucidity"). */
function requireEd25519(key: KeyObject): void {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('PASETO v4.public needs an Ed25519 key');
}

/**
 * Strict (RFC 4648 section 3.5). Node's decoder ignores invalid characters, so two token strings could contain the
 * same signature.
 */
export function canonicalBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
