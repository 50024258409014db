import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Random } from '#test/simulation/random.js';
import { jsonReply, type Limited, type Misbehaviour, type RpcReply } from './rpc-wire.js';

export function stall(): Misbehaviour {
  return { name: 'stall', reply: (_, reply) => ({ ...reply, send: () => undefined }) };
}

export interface Held extends Misbehaviour {
  readonly waiting: number;
  /** Sends them, also when it was switched off meanwhile. */
  release(): void;
}

export function holds(limited: Limited = {}): Held {
  const waiting: (() => void)[] = [];
  return {
    name: 'holds',
    ...limited,
    reply: (_, reply) => ({
      ...reply,
      send: (response) =>
        void waiting.push(() => response.writeHead(reply.status, reply.headers).end(reply.body)),
    }),
    get waiting() {
      return waiting.length;
    },
    release: () => waiting.splice(0).forEach((send) => send()),
  };
}

export function stallInBody(): Misbehaviour {
  const send = ({ status, headers, body }: RpcReply) => {
    return (response: ServerResponse) => {
      response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) });
      response.write(body.slice(0, body.length / 2));
    };
  };
  return { name: 'stallInBody', reply: (_, reply) => ({ ...reply, send: send(reply) }) };
}

export function hangsUp(): Misbehaviour {
  const send = (response: ServerResponse) => void response.destroy();
  return { name: 'hangsUp', reply: (_, reply) => ({ ...reply, send }) };
}

export function tooMany(retryAfterSeconds: number): Misbehaviour {
  const headers = { 'content-type': 'text/plain', 'retry-after': String(retryAfterSeconds) };
  return { name: 'tooMany', reply: () => ({ status: 429, headers, body: 'Too Many Requests' }) };
}

/** Allows so many calls in each second; a provider's plan is limited like this. */
export function allows(callsPerSecond: number): Misbehaviour {
  let [second, calls] = [0, 0];
  const reply = {
    status: 429,
    headers: { 'content-type': 'text/plain', 'retry-after': '1' },
    body: 'Too Many Requests',
  };
  return {
    name: 'allows',
    reply(exchange, good) {
      const now = Math.floor(performance.now() / 1_000);
      if (now !== second) [second, calls] = [now, 0];
      calls += exchange.calls.length;
      return calls > callsPerSecond ? reply : good;
    },
  };
}

export function limitExceeded(): Misbehaviour {
  const error = { code: -32005, message: 'daily request count exceeded, request rate limited' };
  return { name: 'limitExceeded', answer: async () => ({ error }) };
}

export function serverError(status: 500 | 502 | 503): Misbehaviour {
  const body = `<html><head><title>${status}</title></head><body><center>nginx</center></body></html>`;
  const reply = { status, headers: { 'content-type': 'text/html' }, body };
  return { name: 'serverError', reply: () => reply };
}

export function truncated(): Misbehaviour {
  return {
    name: 'truncated',
    reply: (_, reply) => ({
      ...reply,
      body: reply.body.slice(0, Math.floor(reply.body.length * 0.7)),
    }),
  };
}

export interface Taken {
  bytes: number;
}

/** An answer without end; it ends after a gigabyte. */
export function huge(taken: Taken): Misbehaviour {
  const send = (response: ServerResponse) => void pour(response, taken);
  return { name: 'huge', reply: (_, reply) => ({ ...reply, send }) };
}

const CHUNK = Buffer.alloc(1 << 20, '0');
const GIGABYTE = 1 << 30;

async function pour(response: ServerResponse, taken: Taken): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"jsonrpc":"2.0","id":1,"result":"0x');
  const gone = once(response, 'close');
  for (let poured = 0; poured < GIGABYTE && !response.destroyed; poured += CHUNK.length) {
    const isFull = !response.write(CHUNK);
    if (isFull) await Promise.race([once(response, 'drain'), gone]);
    if (!response.destroyed) taken.bytes = Math.max(taken.bytes, poured + CHUNK.length);
  }
  response.destroy();
}

/** Answers a batch backwards, as the specification of JSON-RPC allows. */
export function reorderedBatch(): Misbehaviour {
  return batches('reorderedBatch', (answers) => answers.toReversed());
}

export function missingInBatch(seed: number): Misbehaviour {
  const random = new Random(seed);
  return batches('missingInBatch', (answers) => {
    const missing = random.whole(0, answers.length - 1);
    return answers.filter((_, at) => at !== missing);
  });
}

function batches(name: string, spoil: (answers: readonly unknown[]) => readonly unknown[]): Misbehaviour {
  return {
    name,
    reply: ({ isBatch }, reply) => (isBatch ? jsonReply(spoil(JSON.parse(reply.body) as unknown[])) : reply),
  };
}

export function flapping(seed: number, among: readonly Misbehaviour[]): Misbehaviour {
  const random = new Random(seed);
  const spoilsAnswers = among.filter(({ answer }) => answer !== undefined);
  const spoilsReplies = among.filter(({ reply }) => reply !== undefined);
  const isFor = ({ methods }: Misbehaviour, method: string) =>
    methods === undefined || methods.includes(method);
  return {
    name: 'flapping',
    async answer(call, ask) {
      const one = spoilsAnswers[random.whole(0, spoilsAnswers.length)];
      return one === undefined || !isFor(one, call.method) ? ask(call) : one.answer!(call, ask);
    },
    reply(exchange, reply) {
      const one = spoilsReplies[random.whole(0, spoilsReplies.length)];
      const isMeant = exchange.calls.some(({ method }) => one !== undefined && isFor(one, method));
      return isMeant ? one!.reply!(exchange, reply) : reply;
    },
  };
}
