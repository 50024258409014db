import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import {
  UnsupportedEncodingError,
  withoutByteOrderMark,
} from '#shared/platform/http/outgoing/answer-encoding.js';
import { PriceSourceDownError } from './rate-source.js';

/** Coinbase's complete list of rates has about 15 kB. */
const MAX_RESPONSE_BYTES = 256 * 1024;

export interface JsonAnswer {
  readonly status: number;
  /** Undefined if the body is not JSON. */
  readonly body: unknown;
  /** Time when an intermediate cache received the response, from the `Age` header (RFC 9111). */
  readonly at?: Date;
}

/** Follows no redirects and reads at most 256 kB. */
export async function fetchPriceJson(url: URL, signal: AbortSignal): Promise<JsonAnswer> {
  try {
    const response = await outgoingFetch(url, {
      signal,
      redirect: 'error',
      headers: { accept: 'application/json' },
    });
    const { status, headers } = response;
    if (status === 429 || status >= 500) {
      await response.body?.cancel();
      throw new PriceSourceDownError(`HTTP status ${status}`);
    }
    const body = parsed(await readText(response));
    const age = headers.get('age') ?? '';
    return { status, body, ...(/^\d{1,9}$/.test(age) && { at: new Date(Date.now() - Number(age) * 1000) }) };
  } catch (error) {
    if (error instanceof PriceSourceDownError) throw error;
    const { cause } = error as Error;
    if (cause instanceof UnsupportedEncodingError) throw new PriceSourceDownError(cause.message);
    throw new PriceSourceDownError(
      signal.aborted
        ? 'the source did not respond completely in time'
        : 'the connection failed, or the response was cut off',
    );
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Throwing inside the loop cancels the response body.
    if (size > MAX_RESPONSE_BYTES)
      throw new PriceSourceDownError(`the response exceeds ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return withoutByteOrderMark(Buffer.concat(chunks).toString('utf8'));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function ownProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

export function urlBelow(base: string, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(path, base.endsWith('/') ? base : `${base}/`);
  url.search = new URLSearchParams(query).toString();
  return url;
}
