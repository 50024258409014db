import type { AssetFact } from '../../facts/fact.js';
import type { Chain } from '../chain/chain.js';
import { Since } from '../known/since.js';
import type { Json } from '../known/values.js';

export type Status =
  'pending' | 'created' | 'processing' | 'completed' | 'overpaid' | 'underpaid' | 'expired' | 'failed';

export const RANK: Readonly<Record<Status, number>> = {
  pending: 0,
  created: 1,
  processing: 2,
  completed: 3,
  overpaid: 3,
  underpaid: 3,
  expired: 3,
  failed: 3,
};

export const OUTCOMES: readonly Status[] = ['completed', 'overpaid', 'underpaid'];

export function isStatus(value: unknown): value is Status {
  return typeof value === 'string' && Object.hasOwn(RANK, value);
}

export interface Asset {
  readonly fact: AssetFact;
  readonly network: string;
  readonly chain: Chain;
  readonly token: string | null;
}

/** An asset that the payer was shown an address and an amount for. */
export interface Selection {
  readonly asset: Asset;
  readonly address: string;
  readonly amount: bigint;
}

/** A moment, or a span in which it lies. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The window of a payment request runs for so long from its creation. */
export const WINDOW = 8 * 60_000;

export interface PaymentRequest {
  readonly id: string;
  readonly about: string;
  posId: string;
  accountId: string;
  organizationId: string;
  readonly isCheckout: boolean;
  /** The exchange that created it, or the span in which it was first heard of. */
  readonly made: Span;
  createdAt: number | null;
  /** When its merchant ended its window, or a little earlier, where that was answered. */
  cutAt?: number;
  /** Every moment at which its window may end. */
  expiry: readonly Span[];
  /** When the exchange was sent that showed its end last. */
  endReadAt: number;
  referenceId: string | undefined;
  amount?: string;
  coinCode?: string;
  /** Assets of its payment options in lower case with their amounts, where the amount is known. */
  readonly options: Map<string, bigint | null>;
  readonly selections: Selection[];
  /** Assets that may have been selected without an answer that says so. */
  readonly maybeSelected: Set<string>;
  /** The asset that was chosen last; empty where that is not certain. */
  readonly chosen: Since<string>;
  sessionId?: string;
  answer: Json;
  readonly shown: Since<Status>;
  /** The view that the service has certainly read. */
  readonly read: Since<number>;
  history: readonly { readonly status: string; readonly at: string }[];
  confirmedAt?: string;
  settlementId?: string;
  /** Set where nothing binds what it may show: nobody was answered all of it yet. */
  isStrange: boolean;
  isByService: boolean;
  isFound: boolean;
  isTyped: boolean;
}

export function newRequest(
  known: Pick<
    PaymentRequest,
    'id' | 'posId' | 'accountId' | 'organizationId' | 'isCheckout' | 'made' | 'answer'
  >,
  first: Status,
  view: number,
): PaymentRequest {
  return {
    ...known,
    about: `payment request ${known.id}`,
    createdAt: null,
    expiry: [],
    endReadAt: -Infinity,
    referenceId: undefined,
    options: new Map(),
    selections: [],
    maybeSelected: new Set(),
    chosen: new Since(''),
    shown: new Since<Status>(first),
    read: new Since(view),
    history: [],
    isStrange: false,
    isByService: false,
    isFound: false,
    isTyped: false,
  };
}

export function isEnded(status: Status): boolean {
  return RANK[status] === 3;
}
