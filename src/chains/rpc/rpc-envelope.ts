import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import {
  EndpointFailure,
  type RpcFailureKind,
  MalformedAnswer,
  RpcRefusal,
  TransportFailure,
  isBatchRefusal,
  isRateLimit,
} from './rpc-failures.js';
import { BlockStateUnavailable } from '#contexts/networks/contract/chain-reader.js';

/** A value of the wrong shape counts as no answer. */
export interface RpcCall<T> {
  readonly method: string;
  /**
   * Path below the endpoint's URL, for an HTTP API beside JSON-RPC: the first parameter is the body of the request, and
   * the response is the answer. Never sent in a batch.
   */
  readonly path?: string;
  readonly params: readonly unknown[];
  /** True if third parties determine the length of the answer by their transactions, events or contracts. */
  readonly isLong?: boolean;
  readonly timeoutMs?: number;
  readonly read: (answer: unknown) => T;
  /** May throw `BlockStateUnavailable`. */
  readonly refused?: (refusal: RpcRefusal) => T;
  /** Converts a failure that may be due to the size of the answer. Used only outside a batch. */
  readonly tooMuch?: (failure: EndpointFailure) => T | Promise<T>;
}

export interface JsonRpcResponse {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
}

export function toJsonRpcRequest(
  id: number,
  { method, params, path }: Pick<RpcCall<unknown>, 'method' | 'params' | 'path'>,
): object {
  return path !== undefined ? (params[0] as object) : { jsonrpc: '2.0', id, method, params };
}

export function readResponse<T>(call: RpcCall<T>, id: number, answer: unknown): T {
  if (call.path !== undefined) return call.read(answer);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) {
    throw new MalformedAnswer('the answer is not a JSON-RPC response');
  }
  const { id: answered, error, result } = answer as JsonRpcResponse;
  if (error !== undefined && error !== null) {
    const refusal = toRpcRefusal(error);
    if (call.refused === undefined || isRateLimit(refusal)) throw refusal;
    return call.refused(refusal);
  }
  if (answered !== id) throw new MalformedAnswer('the answer is to another request');
  if (result === undefined) throw new MalformedAnswer('the answer has neither result nor error');
  return call.read(result);
}

/**
 * @throws MalformedAnswer if an answer belongs to no call or a call has two; TransportFailure if the batch was refused or
 *   answers are missing; RpcRefusal if one call was refused
 */
export function readBatchResponse<T>(calls: readonly RpcCall<T>[], firstId: number, answer: unknown): T[] {
  if (!Array.isArray(answer)) throw batchRefusalOf(answer);
  if (answer.length !== calls.length) {
    // Some nodes return a list with a single error if they refuse the complete batch.
    if (answer.length === 1) throwIfBatchRefused(answer[0]);
    const counts = `${answer.length} answers were received for ${calls.length} calls`;
    // An endpoint that omits answers may answer fewer calls, or single calls, completely.
    if (answer.length < calls.length) throw new TransportFailure('batch_refused', counts);
    throw new MalformedAnswer(counts);
  }
  const byPlace = new Array<unknown>(calls.length);
  for (const each of answer as JsonRpcResponse[]) {
    const place = typeof each?.id === 'number' ? each.id - firstId : -1;
    if (!Number.isInteger(place) || place < 0 || place >= calls.length || byPlace[place] !== undefined) {
      throwIfBatchRefused(each);
      throw new MalformedAnswer('an answer is to another request');
    }
    if (each.error != null) throwIfTooManyCalls(each.error);
    byPlace[place] = each;
  }
  return calls.map((call, place) => readResponse(call, firstId + place, byPlace[place]));
}

function throwIfTooManyCalls(error: NonNullable<JsonRpcResponse['error']>): void {
  const refusal = toRpcRefusal(error);
  if (isBatchRefusal(refusal)) throw new TransportFailure('batch_refused', refusal.message);
}

function batchRefusalOf(answer: unknown): Error {
  throwIfBatchRefused(answer);
  return new MalformedAnswer('the answer to a batch is not a list');
}

function throwIfBatchRefused(answer: unknown): void {
  const error = (answer as JsonRpcResponse | null)?.error;
  if (error === undefined || error === null) return;
  const refusal = toRpcRefusal(error);
  if (isRateLimit(refusal)) throw refusal;
  throw new TransportFailure('batch_refused', refusal.message);
}

export function toRpcRefusal({ code, message }: NonNullable<JsonRpcResponse['error']>): RpcRefusal {
  return new RpcRefusal(typeof code === 'number' ? code : 0, typeof message === 'string' ? message : '');
}

/** Errors that have a meaning for the caller pass unchanged. */
export function toEndpointFailure(endpoint: Endpoint, method: string, error: unknown): Error {
  if (error instanceof EndpointFailure || error instanceof BlockStateUnavailable) return error;
  const failure = (message: string, kind: RpcFailureKind, retryAfterMs: number | null = null) =>
    new EndpointFailure(endpoint.network, `${method}: ${message}`, kind, retryAfterMs);
  if (error instanceof TransportFailure) return failure(error.message, error.kind, error.retryAfterMs);
  if (error instanceof RpcRefusal)
    return failure(error.message, isRateLimit(error) ? 'rate_limited' : 'refused');
  return failure(
    error instanceof MalformedAnswer ? error.message : 'the response has an unexpected format',
    'malformed',
  );
}
