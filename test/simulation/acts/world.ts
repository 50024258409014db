import type { AnswerFact } from '../facts/fact.js';
import type { Random } from '../random.js';

/** The means of an act: everything that somebody outside the service can do. All of it is written down as facts. */
export interface World {
  readonly random: Random;
  now(): number;
  readonly merchants: readonly Merchant[];
  readonly network: SimulatedNetwork;
  readonly receivers: Receivers;
  /** A request to any of the API processes. `lost` where the connection broke: an act then goes on as a caller would. */
  call(request: Call): Promise<AnswerFact | 'lost'>;
  /**
   * A command of the operator, as on the command line.
   * @returns what it prints as JSON, or `failed` with its sentence
   */
  operator(...words: readonly string[]): Promise<{ readonly printed: unknown } | { readonly failed: string }>;
  /** Goes on after so much simulated time, beside everything else that happens then: a payer who comes back within the window. */
  later(milliseconds: number, goOn: () => Promise<void>): void;
  /** Writes a fact that an act knows better than the world: a credential changed in the dashboard. */
  note(fact: object): void;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Absent: no credential. The world exchanges it for a token, and again where that has expired. */
  readonly as?: Credential;
  readonly from?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
}

export interface Credential {
  readonly keyId: string;
  readonly secret: string;
}

export interface Merchant {
  readonly organizationId: string;
  readonly accounts: Account[];
  readonly credentials: Credential[];
  readonly memory: Map<string, unknown>;
  readonly owner: { readonly email: string; readonly password: string; readonly authenticatorSecret: string };
}

export interface Account {
  readonly accountId: string;
  readonly pointsOfSale: { readonly id: string; readonly type: 'online' | 'physical' }[];
}

/** The one EVM network of a run, with its payers' side. Who pays has as much as wanted of every asset. */
export interface SimulatedNetwork {
  readonly network: string;
  readonly assets: readonly SimulatedAsset[];
  pay(payment: Payment): string;
  /** The private keys of the payers, by the numbers of `Payment.payer`: for payments by signature. */
  readonly payerKeys: readonly `0x${string}`[];
  /** Tokens that are no asset of the service, which payers hold too. */
  readonly foreignTokens: readonly string[];
  readonly strangers: readonly string[];
}

export interface SimulatedAsset {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly minimumAmount: string;
  readonly token: string | null;
}

export interface Payment {
  readonly to: string;
  /** The token's contract, also one that is no asset; null for the coin. */
  readonly token: string | null;
  readonly amount: bigint;
  /** `inner`: a contract sends the coin on. `twice`: two transfers of half the amount in one transaction. */
  readonly way?: 'plain' | 'inner' | 'twice';
  readonly payer?: number;
}

/** Where webhooks arrive, by the path of their URL. */
export interface Receivers {
  /** A public HTTPS URL that nobody else has. It answers 200 until it is told otherwise. */
  open(): string;
  /** How it answers from now on: a status, no answer in time, or a broken connection. */
  behave(url: string, how: number | 'silent' | 'breaks'): void;
}

export interface Act {
  /** Words of the interface contract, for example `create a payment request`. */
  readonly name: string;
  /** How often it is drawn, beside the others. */
  readonly weight: number;
  readonly attempt: Attempt;
}

/** Resolves with false if there is nothing yet to do it with. */
type Attempt = (world: World, merchant: Merchant, random: Random) => Promise<unknown>;

export function act(name: string, weight: number, attempt: Attempt): Act {
  return { name, weight, attempt };
}
