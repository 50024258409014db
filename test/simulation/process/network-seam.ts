import { Pool, type Dispatcher } from 'undici';
import { currentProcess, type Mortal } from './current-process.js';
import type { Pump } from './pump.js';

/** Somebody outside to whom processes send requests: a node of a chain, or a receiver of webhooks. */
export interface Outside {
  /** @throws where no answer comes, for the connection breaks; null: none comes in time */
  answer(request: OutsideRequest): Promise<OutsideAnswer | null>;
}

export interface OutsideRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type Handler = Dispatcher.DispatchHandler;
/** undici's own requests still have the handler of its earlier releases. */
interface FormerHandler {
  onConnect(abort: (reason: Error) => void): void;
  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(trailers: Buffer[]): void;
  onError(error: Error): void;
}

/** Everything that the service sends by undici or `fetch` goes through the pump to `outside`: no byte leaves this process. */
export function seamRequests(pump: Pump, outside: Outside): void {
  Pool.prototype.dispatch = function (options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    const origin = String(options.origin ?? originOf(this));
    const present = 'onRequestStart' in handler ? handler : presentForm(handler as unknown as FormerHandler);
    void send(pump, outside, { ...options, origin }, present);
    return true;
  };
  globalThis.fetch = async (url) => {
    const request = { url: String(url as URL), headers: {}, body: '' };
    const what = `GET ${request.url}`;
    const perform = () => outside.answer(request);
    const answer = await pump.pass<OutsideAnswer | null>({
      process: currentProcess() as Mortal,
      what,
      perform,
    });
    if (answer === null) throw new Error('No answer came.');
    return new Response(answer.text, { status: answer.status, headers: answer.headers });
  };
}

async function send(
  pump: Pump,
  outside: Outside,
  options: Dispatcher.DispatchOptions & { origin: string },
  handler: Handler,
): Promise<void> {
  const controller = new Controller();
  try {
    handler.onRequestStart?.(controller as unknown as Dispatcher.DispatchController, {});
    const request = {
      url: options.origin + options.path,
      headers: lowerCase(options.headers as Record<string, string>),
      body: String(options.body ?? ''),
    };
    const answer = await pump.pass<OutsideAnswer | null>({
      process: currentProcess() as Mortal,
      what: `POST ${request.url}`,
      perform: () => outside.answer(request),
    });
    // Nobody answers: the sender's own deadline ends it.
    if (answer === null || controller.aborted) return;
    const as = controller as unknown as Dispatcher.DispatchController;
    handler.onResponseStart?.(as, answer.status, { ...answer.headers }, '');
    if (answer.text !== '') handler.onResponseData?.(as, Buffer.from(answer.text));
    handler.onResponseEnd?.(as, {});
  } catch (error) {
    handler.onResponseError?.(controller as unknown as Dispatcher.DispatchController, error as Error);
  }
}

class Controller {
  aborted = false;
  paused = false;
  reason: Error | null = null;

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }
}

function presentForm(former: FormerHandler): Handler {
  return {
    onRequestStart: (controller) =>
      former.onConnect((reason) => {
        controller.abort(reason);
        former.onError(reason);
      }),
    onResponseStart: (controller, status, headers) => {
      const raw = Object.entries(headers).flatMap((pair) => pair.map((text) => Buffer.from(String(text))));
      former.onHeaders(status, raw, () => controller.resume(), '');
    },
    onResponseData: (_controller, chunk) => void former.onData(chunk),
    onResponseEnd: () => former.onComplete([]),
    onResponseError: (_controller, error) => former.onError(error),
  };
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** undici keeps a pool's origin under a symbol. */
function originOf(pool: object): string {
  const kept = Object.getOwnPropertySymbols(pool).find((symbol) => symbol.description === 'url');
  return (pool as Record<symbol, URL>)[kept!]!.origin;
}
