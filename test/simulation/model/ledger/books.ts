import type { Json } from '../known/values.js';

export interface Booked {
  readonly id: string;
  readonly record: Json;
  readonly organizationId: string;
}

/** The order of the records that one scope sees: each keeps its place, counted from the oldest. */
export class Scope {
  readonly ranks = new Map<number, string>();
  readonly places = new Map<string, number>();
  total = 0;
  totalAt = -Infinity;
  restTotal: number | undefined;
}

export class Books {
  readonly booked = new Map<string, Booked>();
  readonly scopes = new Map<string, Scope>();
  readonly paymentIns = new Map<string, Booked>();
  /** Deposits by request and asset, in the smallest unit. */
  readonly deposits = new Map<string, bigint>();
  readonly settledBy = new Map<string, string>();
  /** Top-ups by float and asset, in the smallest unit. */
  readonly topUps = new Map<string, bigint>();
  readonly withdraws = new Map<string, Map<string, Json>>();
  readonly refunds = new Map<string, Map<string, Json>>();
  /** Adjustments by request and asset, in the smallest unit and below zero. */
  readonly adjustments = new Map<
    string,
    { readonly gross: bigint; readonly net: bigint; readonly at: number }[]
  >();

  rest(): void {
    for (const scope of this.scopes.values()) scope.restTotal = undefined;
  }

  scope(key: string): Scope {
    let scope = this.scopes.get(key);
    if (scope === undefined) this.scopes.set(key, (scope = new Scope()));
    return scope;
  }
}
