import { gzipSync } from 'node:zlib';
import { PaymentCollectionError, type PaymentCollectionClient } from '../../src/index.js';
import { stepCalls } from './case-steps.js';
import { expectSame, expectTrue } from './differences.js';
import type { Answer, Exchange, HttpCase, Step } from './recorded-cases.js';
import {
  aToken,
  breakOff,
  fail,
  hangUp,
  ScriptedApi,
  succeed,
  type ReceivedRequest,
} from './scripted-api.js';

type Send = typeof hangUp;
interface Arrival {
  readonly request: ReceivedRequest;
  readonly at: number;
}
const AGENT = /^payment-collection-client\/\d+\.\d+\.\d+ \(node\)$/;
const FRESH_KEY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Runs a case against a test server that returns the recorded answers. @throws Error that describes the difference */
export async function runHttpCase(one: HttpCase): Promise<void> {
  const api = await ScriptedApi.start();
  const arrivals: Arrival[] = [];
  const noted =
    (send: Send): Send =>
    (response, request) => {
      arrivals.push({ request, at: performance.now() });
      send(response, request);
    };
  try {
    const script = one.exchanges.flatMap((exchange) => Array<Exchange>(exchange.times ?? 1).fill(exchange));
    const answers = script.map(({ answer }) => noted(senderOf(answer)));
    api.answers(...answers, ...(script.at(-1)?.any_times ? [] : [noted(fail(400, 'not_scripted'))]));
    const later = api.exchange;
    api.exchange = (...given) => {
      const answer = one.tokens?.[api.exchanges.length - 1];
      (answer === undefined ? later : senderOf(answer))(...given);
    };
    const {
      attempts,
      first_delay_ms: firstDelay,
      max_delay_ms: maxDelay,
      timeout_ms: timeout,
    } = one.client ?? {};
    const retries = {
      ...(attempts && { attempts }),
      ...(firstDelay && { firstDelay }),
      ...(maxDelay && { maxDelay }),
    };
    const client = api.client({ retries, ...(timeout && { timeout }) });
    for (const [i, step] of one.steps.entries()) await runStep(client, step, `step ${i + 1} (${step.call})`);
    expectArrivals(arrivals, script);
    expectSame(api.exchanges.length, one.token_exchanges ?? 1, 'token exchanges');
    for (const { body } of api.exchanges)
      expectSame(JSON.parse(body), { api_key: 'svc.dev.1', api_secret: 'the secret' }, 'token exchange');
  } finally {
    await api.stop();
  }
}

async function runStep(client: PaymentCollectionClient, step: Step, at: string): Promise<void> {
  const call = stepCalls[step.call];
  if (call === undefined) throw new Error(`${at}: unknown call`);
  const kept: string[] = [];
  const outcome = await call(client, step, kept).then(
    (result) => ({ result }),
    (error: PaymentCollectionError) => ({ error }),
  );
  if (step.refused !== undefined) {
    const refusal = 'error' in outcome ? outcome.error : undefined;
    const isRefused = refusal instanceof TypeError && refusal.message.includes(step.refused);
    return expectTrue(isRefused, `${at}: "${step.refused}" is not in "${refusal}"`);
  }
  if ('error' in outcome) {
    const { error } = outcome;
    if (step.error === undefined || !(error instanceof PaymentCollectionError))
      throw new Error(`${at} failed`, { cause: error });
    expectTrue(
      !/the secret|token \d/.test(JSON.stringify(error) + String(error)),
      `${at}: the error contains a secret`,
    );
    const { message_has: part = '', ...fields } = step.error;
    expectTrue(error.message.includes(part), `${at}: "${part}" is not in "${error.message}"`);
    const { code, status, message, fields: refused, requestId, retryAfter, nextStep } = error;
    const named = { code, status, message, fields: refused, request_id: requestId, retry_after: retryAfter };
    expectSame({ ...named, next_step: nextStep }, fields, `${at}, error`);
  } else {
    expectTrue(step.error === undefined, `${at}: no error was thrown`);
    if (step.result !== undefined) expectSame(outcome.result, step.result, `${at}, result`);
  }
  if (step.kept) expectSame(kept, step.kept, `${at}, kept`);
}

function expectArrivals(arrivals: readonly Arrival[], script: readonly Exchange[]): void {
  const sent = arrivals.map(({ request }) => `${request.method} ${request.path}`);
  const least = script.at(-1)?.any_times ? script.length - 1 : script.length;
  expectTrue(sent.length >= least, `expected ${least} requests, not: ${sent.join(', ')}`);
  if (!script.at(-1)?.any_times) expectSame(sent.length, script.length, `requests (${sent.join(', ')})`);
  const fresh = new Map<string, string>();
  for (const [i, { request, at }] of arrivals.entries()) {
    const wanted = script[Math.min(i, script.length - 1)]!;
    const where = `request ${i + 1} (${wanted.request})`;
    expectSame(sorted(sent[i]!), sorted(wanted.request), where);
    expectSame(request.body && JSON.parse(request.body), wanted.body ?? '', `${where}, body`);
    const {
      authorization,
      'x-service-api-key': id,
      'x-read-after': after,
      'idempotency-key': key,
    } = request.headers;
    expectTrue(
      AGENT.test(request.headers['user-agent'] ?? ''),
      `${where}: User-Agent does not name the client`,
    );
    expectSame(request.headers['accept-encoding'], 'gzip', `${where}, accept-encoding`);
    const { token = 'token 1' } = wanted;
    const proofs = token === null ? [undefined, undefined] : [`Bearer ${token}`, 'svc.dev.1'];
    expectSame([authorization, id, after], [...proofs, wanted.read_after], `${where}, headers`);
    expectKey(key as string | undefined, wanted.key, fresh, where);
    const waited = at - (arrivals[i - 1]?.at ?? 0);
    expectTrue(waited >= (wanted.waited_ms ?? 0), `${where}: sent after ${waited} ms`);
  }
  expectSame(new Set(fresh.values()).size, fresh.size, 'number of different generated keys');
}

function expectKey(
  key: string | undefined,
  wanted: Exchange['key'],
  fresh: Map<string, string>,
  at: string,
): void {
  if (typeof wanted !== 'object') return expectSame(key, wanted, `${at}, key`);
  expectTrue(FRESH_KEY.test(key ?? ''), `${at}: ${key} is not a generated key`);
  expectSame(key, fresh.get(wanted.fresh) ?? key, `${at}, key`);
  fresh.set(wanted.fresh, key!);
}

function sorted(request: string): string {
  const [path, query = ''] = request.split('?');
  return [path, ...query.split('&').sort()].join(' ');
}

function senderOf(answer: Exchange['answer']): Send {
  if (answer === 'silence') return () => undefined;
  if (answer === 'hang_up') return hangUp;
  if (answer === 'break_off') return breakOff;
  const send = senderOfAnswer(answer);
  return (response, request) => {
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    send(response, request);
  };
}

function senderOfAnswer({
  data,
  fails,
  errors,
  status = 200,
  text,
  gzip,
  token,
  expires_in: seconds,
}: Answer): Send {
  if (token !== undefined) return succeed(aToken(token, seconds));
  if (fails !== undefined) return fail(...fails, errors && { errors: [...errors] });
  if (text === undefined) return succeed(data);
  return (response) => {
    if (!response.hasHeader('content-type')) response.setHeader('content-type', 'text/html');
    if (gzip) response.setHeader('content-encoding', 'gzip');
    response.writeHead(status).end(gzip ? gzipSync(text) : text);
  };
}
