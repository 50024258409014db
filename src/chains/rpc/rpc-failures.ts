import { ChainUnavailable, orUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { EndpointAnswer } from '#contexts/networks/domain/finding.js';

/** The node answered something that cannot be true. */
export class MalformedAnswer extends Error {}

/** The node answered with a JSON-RPC error. */
export class RpcRefusal extends Error {
  constructor(
    readonly code: number,
    /** The node's message. */
    readonly details: string,
  ) {
    super(`the node returned an error (${code}): ${firstLine(details)}`);
    this.name = 'RpcRefusal';
  }
}

/** True for one of many calls where the node gave up on the batch, not on this one. */
export function isAboutBatch({ details }: RpcRefusal): boolean {
  return /batch|(?:response|answer|result)s? (?:is |are )?too (?:large|big)|(?:response|size) (?:size )?(?:limit|exceed)/i.test(
    details,
  );
}

/**
 * Why an endpoint gave no good answer.
 * `rate_limited`: asked more than it allows. `refused`: a JSON-RPC error. `too_large`: more bytes than are read of one
 * answer. `batch_refused`: it takes no batches, or none of that length.
 */
export type RpcFailureKind =
  | 'connection'
  | 'timeout'
  | 'status'
  | 'rate_limited'
  | 'refused'
  | 'malformed'
  | 'too_large'
  | 'batch_refused';

/** One endpoint's failure, in words that never contain its URL, which may carry an access key. */
export class EndpointFailure extends ChainUnavailable {
  constructor(
    network: string,
    readonly reason: string,
    readonly kind: RpcFailureKind,
    /** The pause that the node asked for by `Retry-After`. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(network, reason);
  }
}

/** A request that was not answered as JSON-RPC. */
export class TransportFailure extends Error {
  constructor(
    readonly kind: RpcFailureKind,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** Providers answer it by status 429, by a code of their own or only in words. */
export function isRateLimit({ code, details }: RpcRefusal): boolean {
  return (
    code === 429 ||
    code === -32_029 ||
    /rate.?limit|too many requests|request (?:rate|count)|requests? per|compute units|throughput/i.test(
      details,
    )
  );
}

/** The endpoint is asked more than it allows, which says nothing against what it answers. */
export function isLimit({ kind, retryAfterMs }: EndpointFailure): boolean {
  return kind === 'rate_limited' || retryAfterMs !== null;
}

/** Fewer questions at once, or about less, may be answered. */
export function isTooMuch({ kind }: EndpointFailure): boolean {
  return kind === 'too_large' || kind === 'timeout' || kind === 'batch_refused';
}

/**
 * A question about one block that failed so may be about too much: nodes and their gateways refuse large answers under
 * any code, and break them off. Not so for a limit of calls, or for an answer that cannot be true.
 */
export function mayBeTooMuch(error: unknown): error is EndpointFailure {
  if (!(error instanceof EndpointFailure) || error.retryAfterMs !== null) return false;
  return error.kind !== 'rate_limited' && error.kind !== 'malformed';
}

/**
 * Not worth the same question again at once: whoever limits us is only angered by it, what was too large stays so, and
 * each further wait for one that stalls keeps the next turn from asking another.
 */
export function isFinal({ kind, retryAfterMs }: EndpointFailure): boolean {
  return kind === 'rate_limited' || kind === 'too_large' || kind === 'timeout' || retryAfterMs !== null;
}

function firstLine(text: string): string {
  return withoutUrls(text.split('\n')[0] ?? '').slice(0, 200);
}

/** Some gateways repeat the address they were called by. */
function withoutUrls(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/\S+/gi, '(URL)');
}

/** The endpoint's answer, or the reason why there is none. @throws what is no failure to answer */
export async function answerOrRefusal<T>(asked: Promise<T>): Promise<EndpointAnswer<T>> {
  const answer = await orUnavailable(asked);
  if (!(answer instanceof ChainUnavailable)) return { answer };
  return { refused: answer instanceof EndpointFailure ? answer.reason : answer.message };
}
