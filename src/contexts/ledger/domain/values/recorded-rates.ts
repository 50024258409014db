import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

/** Price, sources and time, as the tickers answer. */
export interface RateToRecord {
  readonly price: string;
  readonly sources: readonly string[];
  readonly at: Date;
}

/** Rates over time, and the currency in which the books of an account are valued. */
export abstract class RecordedRates {
  /** The present currencies of books, with the symbols whose rates were recorded in them within the last hour. */
  abstract currencies(): Promise<
    readonly { readonly currency: string; readonly recorded: readonly string[] }[]
  >;

  /** Recorded with the present time, which never runs backward for a symbol and currency. */
  abstract record(symbol: string, currency: string, rate: RateToRecord): Promise<void>;

  /** Values money that comes from now on; earlier money keeps its value. @param currency null: none. @returns the one before */
  abstract setCurrency(
    account: { readonly organizationId: OrganizationId; readonly accountId: AccountId },
    currency: string | null,
  ): Promise<string | null>;
}
