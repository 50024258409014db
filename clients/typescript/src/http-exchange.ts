import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

export const CLIENT_VERSION = '0.1.0';
const AGENT = `payment-collection-client/${CLIENT_VERSION} (node)`;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
/** Statuses for which the `Response` constructor rejects a body. */
const WITHOUT_BODY = [204, 205, 304];

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Headers;
  readonly body: string | null;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request without following redirects. Replaces Node's `fetch`, which decodes Brotli even if it was not requested. In some
 * Node.js releases, a malicious Brotli response can run code (CVE-2026-111497).
 * @param product prefix of the `User-Agent` header
 * @returns the response; without a body if `unreadable` returns a reason
 */
export async function sendHttpRequest(
  { url, method, headers = new Headers(), body, signal }: HttpRequest,
  product?: string,
): Promise<Response> {
  signal?.throwIfAborted();
  const send = url.startsWith('https:') ? requestByHttps : requestByHttp;
  const own = {
    'user-agent': product === undefined ? AGENT : `${product} ${AGENT}`,
    'accept-encoding': 'gzip',
  };
  const options = { method, headers: { ...Object.fromEntries(headers), ...own }, ...(signal && { signal }) };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (error: Error) => reject(signal?.aborted ? (signal.reason as Error) : error);
    send(url, options, resolve)
      .on('error', fail)
      .end(body ?? undefined);
  });
  return answerOf(incoming);
}

/** @returns the reason why a body with these headers cannot be read; undefined if it can */
export function unreadableReason(headers: Headers): string | undefined {
  const coding = headers.get('content-encoding') ?? 'identity';
  if (!/^(?:identity|gzip)?$/i.test(coding)) return `unsupported content encoding ${coding}`;
  const [, charset = 'utf-8'] = CHARSET.exec(headers.get('content-type') ?? '') ?? [];
  return /^utf-?8$/i.test(charset) ? undefined : `unsupported character set ${charset}`;
}

function answerOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  const { rawHeaders, statusCode: status = 0, statusMessage: statusText = '' } = incoming;
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  if (WITHOUT_BODY.includes(status)) incoming.resume();
  else if (unreadableReason(headers) === undefined) {
    const isCoded = headers.get('content-encoding')?.toLowerCase() === 'gzip';
    for (const name of isCoded ? ['content-encoding', 'content-length'] : []) headers.delete(name);
    // The reader of the decoded bytes receives the errors of both streams.
    const body = isCoded ? pipeline(incoming, createGunzip(), () => undefined) : incoming;
    const content = Readable.toWeb(body) as ReadableStream<Uint8Array>;
    return new Response(content, { status, statusText, headers });
  } else incoming.destroy();
  return new Response(null, { status, statusText, headers });
}
