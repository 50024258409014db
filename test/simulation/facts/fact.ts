/** Something that the service did and that the interface contract does not allow, or did not do and should have. */
export interface Difference {
  /** The rule's name, in words of the interface contract, for example `status allowed by the chain`. */
  readonly rule: string;
  /** The object: a payment request's id, a webhook's, a settlement's. */
  readonly about: string;
  readonly expected: string;
  readonly found: string;
}

/** A model says what the interface contract allows in a history. It knows the service by its facts alone. */
export interface Model {
  /** Takes the next fact. @returns what is wrong with it */
  take(fact: Fact): readonly Difference[];
  /** Called once after the readings that follow a `rest`. @returns what never happened and should have by now */
  missing(): readonly Difference[];
}

/**
 * Facts tell in order what happened outside the service: what callers sent and were answered, what blocks held, what receivers got.
 * The generator and the receivers write it, the model judges it. Nothing in it was read from the service's tables or code.
 *
 * Times are simulated milliseconds since 1970. Amounts on a chain are integers of the smallest unit, as decimal text.
 */
export type Fact =
  | NetworkFact
  | OrganizationFact
  | TermsFact
  | CredentialFact
  | PairingFact
  | ExchangeFact
  | BlockFact
  | UnwoundFact
  | DeliveryFact
  | GivenUpFact
  | ReleasedFact
  | LyingNodeFact
  | RefundLimitFact
  | TimeFact
  | RestFact;

export interface NetworkFact {
  readonly kind: 'network';
  readonly at: number;
  readonly network: string;
  readonly chainId: number;
  /** A block is final once so many later ones stand on it. */
  readonly confirmations: number;
  readonly blockSeconds: number;
  readonly inclusionGraceSeconds: number;
  /** How often a settlement run may begin, at most. */
  readonly settlementEverySeconds: number;
  /** The service settles what was collected after so many hours, however small it is. */
  readonly settlementAfterHours: number;
  readonly assets: readonly AssetFact[];
}

export interface AssetFact {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly minimumAmount: string;
  readonly token: string | null;
  /** The currency to which it is pegged 1:1. */
  readonly currency?: string;
}

export interface OrganizationFact {
  readonly kind: 'organization';
  readonly at: number;
  readonly organizationId: string;
  readonly accountId: string;
}

export interface TermsFact {
  readonly kind: 'terms';
  readonly at: number;
  readonly organizationId: string;
  /** Absent: for every account of the organization that has none of its own. */
  readonly accountId?: string;
  readonly network: string;
  readonly settlementAddress: string;
  readonly feeBasisPoints: number;
  readonly feeRecipient?: string;
}

/** A credential was created or changed; or deleted (`isGone`). What is said is what counts from now on. */
export interface CredentialFact {
  readonly kind: 'credential';
  readonly at: number;
  readonly keyId: string;
  readonly organizationId: string;
  readonly accountId?: string;
  /** A device of one point of sale. */
  readonly pointOfSaleId?: string;
  readonly roles: readonly ('read' | 'write')[];
  readonly allowedIps: readonly string[];
  readonly isEnabled: boolean;
  readonly isGone: boolean;
}

/** The owner was shown a code, by which a phone is paired with a point of sale. */
export interface PairingFact {
  readonly kind: 'pairing';
  readonly at: number;
  readonly posId: string;
  readonly code: string;
}

export interface ExchangeFact {
  readonly kind: 'exchange';
  /** The number of the exchange: what happened between its sending and its end is not in any order with it. */
  readonly number: number;
  readonly sentAt: number;
  readonly at: number;
  readonly keyId: string | null;
  readonly sourceIp: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly body?: unknown;
  /** `lost`: the connection broke; the request may have been carried out, wholly or not at all. */
  readonly answer: AnswerFact | 'lost';
  /** True where faults were at work: a 503 or 500 may then stand for anything that was not carried out. */
  readonly isFaulty: boolean;
}

export interface AnswerFact {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else text. */
  readonly body: unknown;
}

export interface BlockFact {
  readonly kind: 'block';
  readonly at: number;
  readonly network: string;
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  /** The block's own timestamp, in milliseconds. */
  readonly time: number;
  readonly transfers: readonly TransferFact[];
  readonly settled: readonly SettledFact[];
}

export interface TransferFact {
  /** `log`: a token's Transfer. `call`: a transaction's own value. `inner`: coin that a contract sent on. */
  readonly way: 'log' | 'call' | 'inner';
  /** The token's contract; null for the network's coin. Any contract, also ones that no asset names. */
  readonly token: string | null;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly transactionHash: string;
  readonly index: number;
}

/** A forwarder's `Settled` event: it paid these amounts out. The same payout stands among the transfers too. */
export interface SettledFact {
  readonly forwarder: string;
  readonly token: string | null;
  readonly toSettlement: string;
  readonly toFee: string;
  readonly transactionHash: string;
}

/** The chain left its blocks from `from` on; those that take their places follow as `block`. */
export interface UnwoundFact {
  readonly kind: 'unwound';
  readonly at: number;
  readonly network: string;
  readonly from: number;
}

export interface DeliveryFact {
  readonly kind: 'delivery';
  readonly at: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly answered: number | null;
}

/** The operator orders that a refund, or a call to the chain, is not carried out: it may be all the same. */
export interface GivenUpFact {
  readonly kind: 'given up';
  readonly at: number;
  /** Names the refund, or the call, which has the id of the refund that it pays. */
  readonly id: string;
}

/** The operator is about to limit how much of an asset an account refunds in a day. */
export interface RefundLimitFact {
  readonly kind: 'refund limit';
  readonly at: number;
  readonly accountId: string;
  readonly uniqueAssetId: string;
  /** Decimal text in whole units of the asset; absent: no limit. */
  readonly perDay?: string;
  /** Some refunds are approved once their payer has named an address. */
  readonly isAutomatic: boolean;
}

/** The operator lets an address be settled again whose credit had disappeared. */
export interface ReleasedFact {
  readonly kind: 'released';
  readonly at: number;
  readonly address: string;
}

/** One of the nodes begins to answer wrongly or in part, or is over with it. */
export interface LyingNodeFact {
  readonly kind: 'lying node';
  readonly at: number;
  readonly isOver: boolean;
}

/** Time went on to here. */
export interface TimeFact {
  readonly kind: 'time';
  readonly at: number;
}

/**
 * The service had all the time that it states it needs, without faults: what it shows from here to the next act that is no
 * reading is final.
 */
export interface RestFact {
  readonly kind: 'rest';
  readonly at: number;
}
