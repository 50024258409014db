import { ChainUnavailable, catchChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { EndpointAnswer } from '#contexts/networks/domain/finding.js';

export class MalformedAnswer extends Error {}

export class RpcRefusal extends Error {
  constructor(
    readonly code: number,
    readonly details: string,
  ) {
    super(`the node returned an error (${code}): ${firstLine(details)}`);
    this.name = 'RpcRefusal';
  }
}

export function isBatchRefusal({ details }: RpcRefusal): boolean {
  return /batch|(?:response|answer|result)s? (?:is |are )?too (?:large|big)|(?:response|size) (?:size )?(?:limit|exceed)/i.test(
    details,
  );
}

/** `batch_refused`: the endpoint accepts no batches, or none of that length. */
export type RpcFailureKind =
  | 'connection'
  | 'timeout'
  | 'status'
  | 'rate_limited'
  | 'refused'
  | 'malformed'
  | 'too_large'
  | 'batch_refused';

/** The message never contains the endpoint's URL, which may contain an access key. */
export class EndpointFailure extends ChainUnavailable {
  constructor(
    network: string,
    readonly reason: string,
    readonly kind: RpcFailureKind,
    readonly retryAfterMs: number | null = null,
  ) {
    super(network, reason);
  }
}

export class TransportFailure extends Error {
  constructor(
    readonly kind: RpcFailureKind,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }
}

/** Providers report a rate limit by status 429, by an error code, or only in the message. */
export function isRateLimit({ code, details }: RpcRefusal): boolean {
  return (
    code === 429 ||
    code === -32_029 ||
    /rate.?limit|too many requests|request (?:rate|count)|requests? per|compute units|throughput/i.test(
      details,
    )
  );
}

/** A limit does not make the endpoint's answers doubtful. */
export function isLimitFailure({ kind, retryAfterMs }: EndpointFailure): boolean {
  return kind === 'rate_limited' || retryAfterMs !== null;
}

export function mayWorkWithSmallerRequest({ kind }: EndpointFailure): boolean {
  return kind === 'too_large' || kind === 'timeout' || kind === 'batch_refused';
}

/**
 * True if a failed call about one block may have covered too much: nodes and gateways reject or truncate large
 * answers with any code.
 */
export function mayBeTooLarge(error: unknown): error is EndpointFailure {
  if (!(error instanceof EndpointFailure) || error.retryAfterMs !== null) return false;
  return error.kind !== 'rate_limited' && error.kind !== 'malformed';
}

/**
 * A retry makes a rate limit worse, and waiting again for a stalled endpoint delays the switch to another endpoint.
 */
export function isRetryUseless({ kind, retryAfterMs }: EndpointFailure): boolean {
  return kind === 'rate_limited' || kind === 'too_large' || kind === 'timeout' || retryAfterMs !== null;
}

function firstLine(text: string): string {
  return removeUrls(text.split('\n')[0] ?? '').slice(0, 200);
}

/** Removes URLs from an error message, because some gateways repeat the URL that was called. */
function removeUrls(text: string): string {
  return text.replace(/\b(?:https?|wss?):\/\/\S+/gi, '(URL)');
}

export async function answerOrRefusal<T>(asked: Promise<T>): Promise<EndpointAnswer<T>> {
  const answer = await catchChainUnavailable(asked);
  if (!(answer instanceof ChainUnavailable)) return { answer };
  return { refused: answer instanceof EndpointFailure ? answer.reason : answer.message };
}
