import type { Json } from '../known/values.js';

/** A record of the ledger as it was shown first. */
export interface Booked {
  readonly id: string;
  readonly record: Json;
  readonly organizationId: string;
}

/** The order of the records that one scope sees: each keeps its place, counted from the oldest. */
export class Scope {
  readonly ranks = new Map<number, string>();
  readonly places = new Map<string, number>();
  /** The greatest total that was shown, with when. */
  total = 0;
  totalAt = -Infinity;
  /** The total of the latest reading at rest. */
  restTotal: number | undefined;
}

/** Everything that the ledger has shown. */
export class Books {
  readonly booked = new Map<string, Booked>();
  readonly scopes = new Map<string, Scope>();
  /** The record of each confirmed request. */
  readonly paymentIns = new Map<string, Booked>();
  /** Deposits by request and asset, in the smallest unit. */
  readonly deposits = new Map<string, bigint>();
  /** The settlement that each payment and deposit named last. */
  readonly settledBy = new Map<string, string>();
  /** Top-ups by float and asset, in the smallest unit. */
  readonly topUps = new Map<string, bigint>();
  /** Completed withdraws by transaction hash and id. */
  readonly withdraws = new Map<string, Map<string, Json>>();
  /** Refunds by request and id. */
  readonly refunds = new Map<string, Map<string, Json>>();
  /** Adjustments by request and asset, in the smallest unit and below zero. */
  readonly adjustments = new Map<
    string,
    { readonly gross: bigint; readonly net: bigint; readonly at: number }[]
  >();

  /** Totals of an earlier rest say nothing of this one. */
  rest(): void {
    for (const scope of this.scopes.values()) scope.restTotal = undefined;
  }

  scope(key: string): Scope {
    let scope = this.scopes.get(key);
    if (scope === undefined) this.scopes.set(key, (scope = new Scope()));
    return scope;
  }
}
