import type { IncomingHttpHeaders } from 'node:http';
import { type Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The answer of another service has an unsupported content coding or character set. */
export class UnsupportedEncodingError extends Error {}

/** The only content coding that outgoing requests accept. */
export const ACCEPTED_CODING = 'gzip';
const GZIP_CODING = /^(?:x-)?gzip$/i;
const CHARSET_PARAMETER = /;\s*charset\s*=\s*"?([^";\s]*)/i;
const BYTE_ORDER_MARK = 0xfeff;

type EncodingHeaders = Pick<IncomingHttpHeaders, 'content-type'> & {
  readonly 'content-encoding'?: string | string[] | undefined;
};

/** In some Node releases, the Brotli decoder lets the server execute code (CVE-2026-111497). */
export function requireGzipOrPlain(headers: EncodingHeaders): 'gzip' | 'plain' {
  const coding = String(headers['content-encoding'] ?? '').trim();
  if (GZIP_CODING.test(coding)) return 'gzip';
  if (coding === '' || coding.toLowerCase() === 'identity') return 'plain';
  throw new UnsupportedEncodingError(
    `the answer has the content coding ${quoteForMessage(coding)}; only ${ACCEPTED_CODING} is read`,
  );
}

/** @throws UnsupportedEncodingError if the content type names a character set other than UTF-8 */
export function requireUtf8(headers: EncodingHeaders): void {
  const [, charset] = CHARSET_PARAMETER.exec(headers['content-type'] ?? '') ?? [];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw new UnsupportedEncodingError(
    `the answer has the character set ${quoteForMessage(charset)}; only UTF-8 is read`,
  );
}

export function decodeAnswerBody(headers: EncodingHeaders, body: Readable): Readable {
  return requireGzipOrPlain(headers) === 'plain' ? body : pipeline(body, createGunzip(), () => undefined);
}

export function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function quoteForMessage(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
