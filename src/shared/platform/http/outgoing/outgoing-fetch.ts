import {
  Agent,
  DecoratorHandler,
  type Dispatcher,
  fetch as undiciFetch,
  type RequestInit as UndiciInit,
} from 'undici';
import { readFileSync } from 'node:fs';
import { ACCEPTED_CODING, requireGzipOrPlain, requireUtf8 } from './answer-encoding.js';

const { name, version } = JSON.parse(
  readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
) as { name: string; version: string };

export const SERVICE_VERSION = version;
/** `User-Agent` of all outgoing requests. Some API providers reject requests without one. */
export const SERVICE_USER_AGENT = `${name}/${version}`;

const REQUEST_HEADERS = { 'user-agent': SERVICE_USER_AGENT, 'accept-encoding': ACCEPTED_CODING };

function rejectUnreadableAnswers(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  const refusing: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
  const start = refusing.onResponseStart!.bind(refusing);
  refusing.onResponseStart = (controller, status, headers, statusText) => {
    try {
      requireGzipOrPlain(headers);
      if (status < 400) requireUtf8(headers as { 'content-type'?: string });
    } catch (error) {
      return controller.abort(error as Error);
    }
    return start(controller, status, headers, statusText);
  };
  return refusing;
}

const dispatcher = new Agent().compose((dispatch) => {
  return (options, handler) => dispatch(options, rejectUnreadableAnswers(handler));
});

/**
 * Accepts only UTF-8 answers, uncompressed or gzip. Node's own `fetch` would decode Brotli even though it was not
 * requested.
 */
export async function outgoingFetch(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(REQUEST_HEADERS)) headers.set(name, value);
  const sent = { ...init, headers: Object.fromEntries(headers), dispatcher } as UndiciInit;
  return (await undiciFetch(input as string | URL, sent)) as unknown as Response;
}
