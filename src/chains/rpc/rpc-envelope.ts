import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import {
  EndpointFailure,
  type RpcFailureKind,
  MalformedAnswer,
  RpcRefusal,
  TransportFailure,
  isAboutBatch,
  isRateLimit,
} from './rpc-failures.js';
import { StateUnavailable } from '#contexts/networks/contract/chain-reader.js';

/** A node's answer, by request; a value of the wrong shape is refused as no answer at all. */
export interface RpcCall<T> {
  readonly method: string;
  readonly params: readonly unknown[];
  /** The answer is as long as others made it: their transactions, their events, their contracts. */
  readonly isLong?: boolean;
  /** How long the whole answer is waited for; unless set, as long as the settings say. */
  readonly timeoutMs?: number;
  /** @throws MalformedAnswer */
  readonly read: (answer: unknown) => T;
  /** Answers a refusal by the node itself, or rethrows it; may throw `StateUnavailable`. */
  readonly refused?: (refusal: RpcRefusal) => T;
  /** Answers, or rethrows, a failure of this call where it was asked alone and may be about too much. */
  readonly tooMuch?: (failure: EndpointFailure) => T | Promise<T>;
}

export interface Envelope {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
}

export function envelope(
  id: number,
  { method, params }: Pick<RpcCall<unknown>, 'method' | 'params'>,
): object {
  return { jsonrpc: '2.0', id, method, params };
}

/** @throws MalformedAnswer, RpcRefusal or what `refused` throws */
export function readSingle<T>(call: RpcCall<T>, id: number, answer: unknown): T {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new MalformedAnswer('the answer is not a JSON-RPC response');
  }
  const { id: answered, error, result } = answer as Envelope;
  if (error !== undefined && error !== null) {
    const refusal = refusalOf(error);
    if (call.refused === undefined || isRateLimit(refusal)) throw refusal;
    return call.refused(refusal);
  }
  if (answered !== id) throw new MalformedAnswer('the answer is to another request');
  if (result === undefined) throw new MalformedAnswer('the answer has neither result nor error');
  return call.read(result);
}

/**
 * The answers of a batch in the order of its calls, whatever order they came in.
 * @param firstId of the first call; those after it count up
 * @throws MalformedAnswer unless there is exactly one to each; RpcRefusal where one or all were refused
 */
export function readBatch<T>(calls: readonly RpcCall<T>[], firstId: number, answer: unknown): T[] {
  if (!Array.isArray(answer)) throw refusalOfWhole(answer);
  if (answer.length !== calls.length) {
    // An error in place of them all, in a list of one.
    if (answer.length === 1) refuseWhole(answer[0]);
    throw new MalformedAnswer(`${answer.length} answers were received for ${calls.length} calls`);
  }
  const byPlace = new Array<unknown>(calls.length);
  for (const each of answer as Envelope[]) {
    const place = typeof each?.id === 'number' ? each.id - firstId : -1;
    if (!Number.isInteger(place) || place < 0 || place >= calls.length || byPlace[place] !== undefined) {
      refuseWhole(each);
      throw new MalformedAnswer('an answer is to another request');
    }
    if (each.error != null) refuseTooMany(each.error);
    byPlace[place] = each;
  }
  return calls.map((call, place) => readSingle(call, firstId + place, byPlace[place]));
}

function refuseTooMany(error: NonNullable<Envelope['error']>): void {
  const refusal = refusalOf(error);
  if (isAboutBatch(refusal)) throw new TransportFailure('batch_refused', refusal.message);
}

function refusalOfWhole(answer: unknown): Error {
  refuseWhole(answer);
  return new MalformedAnswer('the answer to a batch is not a list');
}

function refuseWhole(answer: unknown): void {
  const error = (answer as Envelope | null)?.error;
  if (error === undefined || error === null) return;
  const refusal = refusalOf(error);
  if (isRateLimit(refusal)) throw refusal;
  throw new TransportFailure('batch_refused', refusal.message);
}

export function refusalOf({ code, message }: NonNullable<Envelope['error']>): RpcRefusal {
  return new RpcRefusal(typeof code === 'number' ? code : 0, typeof message === 'string' ? message : '');
}

/** Any error of one question as the endpoint's failure; those that mean something to the caller as they are. */
export function failureOf(endpoint: Endpoint, method: string, error: unknown): Error {
  if (error instanceof EndpointFailure || error instanceof StateUnavailable) return error;
  const failure = (message: string, kind: RpcFailureKind, retryAfterMs: number | null = null) =>
    new EndpointFailure(endpoint.network, `${method}: ${message}`, kind, retryAfterMs);
  if (error instanceof TransportFailure) return failure(error.message, error.kind, error.retryAfterMs);
  if (error instanceof RpcRefusal)
    return failure(error.message, isRateLimit(error) ? 'rate_limited' : 'refused');
  // Whatever else reading an answer runs into, the answer is not one.
  return failure(
    error instanceof MalformedAnswer ? error.message : 'the response has an unexpected format',
    'malformed',
  );
}
