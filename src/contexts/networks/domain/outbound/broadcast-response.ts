/**
 * `replacement_underpriced`: the endpoint's mempool holds another transaction with this nonce that pays nearly as
 * much.
 */
export type BroadcastResponse =
  | 'accepted'
  | 'already_known'
  | 'replacement_underpriced'
  | 'nonce_too_high'
  | 'nonce_too_low'
  | 'underpriced'
  | 'insufficient_funds'
  | 'refused'
  | 'unreachable';

/**
 * The first match counts: "replacement transaction underpriced" must not match `underpriced`, and "nonce too low"
 * must not match a fee that is too low.
 */
const ERROR_MESSAGE_PATTERNS: readonly (readonly [BroadcastResponse, RegExp])[] = [
  [
    'already_known',
    /already.?(?:known|imported|exists|in (?:the )?(?:mem)?pool)|known transaction|(?:existing tx|transaction) with (?:the )?same hash/i,
  ],
  [
    'replacement_underpriced',
    /replacement (?:transaction|tx|fee)|replacement.?not.?allowed|could not replace|attempted to replace|another transaction with same nonce|own.?nonce.?already.?used/i,
  ],
  [
    'nonce_too_low',
    /nonce.{0,60}too.?low|old.?nonce|nonce.{0,20}already been used|invalid transaction nonce/i,
  ],
  ['nonce_too_high', /nonce.{0,60}too.?(?:high|far|distant)|nonce.?gap|gapped.?nonce|future nonce/i],
  [
    'insufficient_funds',
    /insufficient.?(?:funds|balance)|not enough funds|upfront cost exceeds|exceeds (?:account )?balance/i,
  ],
  [
    'underpriced',
    /underpriced|fee.?too.?low|gas.?price.{0,20}(?:too.?low|below)|(?:less than|lower than|below).{0,30}base.?fee|tip.{0,20}(?:too.?low|below)|priority fee.{0,20}(?:too.?low|below)/i,
  ],
];

export function classifyBroadcastError(message: string): BroadcastResponse {
  return ERROR_MESSAGE_PATTERNS.find(([, words]) => words.test(message))?.[0] ?? 'refused';
}

/** Responses from most to least conclusive: an acceptance by one endpoint outweighs a rejection by another. */
const RESPONSES_BY_WEIGHT: readonly BroadcastResponse[] = [
  'accepted',
  'already_known',
  'replacement_underpriced',
  'nonce_too_high',
  'nonce_too_low',
  'underpriced',
  'insufficient_funds',
  'refused',
  'unreachable',
];

export function mostConclusiveResponse(responses: readonly BroadcastResponse[]): BroadcastResponse {
  return RESPONSES_BY_WEIGHT.find((each) => responses.includes(each)) ?? 'unreachable';
}

/** True if a mempool or a block contains these bytes or another transaction with this nonce. */
export function isKnownToNodes(response: BroadcastResponse): boolean {
  return RESPONSES_BY_WEIGHT.indexOf(response) < RESPONSES_BY_WEIGHT.indexOf('underpriced');
}
