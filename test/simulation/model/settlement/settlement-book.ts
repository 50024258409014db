import type { Json } from '../known/values.js';

export interface SettlementRecord {
  readonly id: string;
  readonly accountId: string;
  record: Json;
}

/** Everything that lists of settlements have shown. */
export class SettlementBook {
  readonly byId = new Map<string, SettlementRecord>();
  /** Accounts whose whole list was read at this rest, with its total. */
  readonly restTotals = new Map<string, number>();
  readonly restSeen = new Map<string, Set<string>>();

  /** Addresses that the operator has released, in lower case. */
  readonly released = new Set<string>();

  rest(): void {
    this.restTotals.clear();
    this.restSeen.clear();
  }
}
