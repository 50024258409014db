import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { Readable, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The version of the package. */
export const VERSION = '0.1.0';
const AGENT = `payment-collection-client/${VERSION} (node)`;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;
/** Statuses that a `Response` takes no body with. */
const WITHOUT_BODY = [204, 205, 304];

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Headers;
  readonly body: string | null;
  readonly signal?: AbortSignal;
}

/**
 * Sends one request and follows no redirect. Node's `fetch` would decode Brotli that it did not ask for, by a decoder that in
 * some releases runs code of whoever answers (CVE-2026-111497).
 * @param product named before the client in `User-Agent`
 * @returns without a body where `unreadable` says why that is not read
 */
export async function exchange(
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

/** Why the body of an answer with these headers is not read; undefined where it is. */
export function unreadable(headers: Headers): string | undefined {
  const coding = headers.get('content-encoding') ?? 'identity';
  if (!/^(?:identity|gzip)?$/i.test(coding)) return `in the content coding ${coding}`;
  const [, charset = 'utf-8'] = CHARSET.exec(headers.get('content-type') ?? '') ?? [];
  return /^utf-?8$/i.test(charset) ? undefined : `in the character set ${charset}`;
}

function answerOf(incoming: IncomingMessage): Response {
  const headers = new Headers();
  const { rawHeaders, statusCode: status = 0, statusMessage: statusText = '' } = incoming;
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  if (WITHOUT_BODY.includes(status)) incoming.resume();
  else if (unreadable(headers) === undefined) {
    const isCoded = headers.get('content-encoding')?.toLowerCase() === 'gzip';
    for (const name of isCoded ? ['content-encoding', 'content-length'] : []) headers.delete(name);
    // Whoever reads the decoded bytes gets the error of either stream.
    const body = isCoded ? pipeline(incoming, createGunzip(), () => undefined) : incoming;
    const content = Readable.toWeb(body) as ReadableStream<Uint8Array>;
    return new Response(content, { status, statusText, headers });
  } else incoming.destroy();
  return new Response(null, { status, statusText, headers });
}
