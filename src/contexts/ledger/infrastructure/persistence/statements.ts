import { Injectable } from '@nestjs/common';
import type { AccountId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { firstDayOf, type Period } from '../../domain/periods/period.js';
import { batchesOf, type Looked, AMOUNT_NAMES, PART_NAMES, type PartName } from './journal-parts.sql.js';
import { STATEMENTS } from './statements.sql.js';

type Amounts = Readonly<Record<(typeof AMOUNT_NAMES)[number], bigint>>;

/**
 * Statement of an account's month in one asset. Amounts are signed and in smallest units. `closing` is the sum of the
 * other amounts.
 */
export interface StatementView extends Amounts {
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Symbol of the asset. If the asset is no longer in the catalogue: its id, with `decimals` 0. */
  readonly currency: string;
  readonly decimals: number;
}

interface Names {
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  readonly currency: string | null;
  readonly decimals: number | null;
}
type Sums = Names & Readonly<Record<PartName, bigint>> & { readonly period: Period };
/** Sums of journal lines. `accountId` is null if the transactions have no line up to the month. */
type Row = Looked & (Sums | { readonly accountId: null });
/**
 * Stored statement of an earlier month. `accountId` is null if no month is stored, or the stored month has no
 * statements of the scope.
 */
type Carried = { readonly stored: Period | null; readonly low: number; readonly high: number } & (
  StatementView | { readonly accountId: null }
);

@Injectable()
export class Statements {
  /** Transactions per SQL statement, few enough to stay far below the statement timeout. */
  readonly batch: number = 20_000;

  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /**
   * Returns statements ordered by account and asset. The cost grows with the transactions since the last stored month,
   * and with all earlier withdrawals and refunds, because these may have later lines. Each SQL statement reads a
   * bounded number of transactions.
   * @param from the primary if the result is stored
   */
  async of(
    { organizationId, accountId }: Scope,
    period: Period,
    from: 'replica' | 'primary' = 'replica',
  ): Promise<StatementView[]> {
    const read = <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
      from === 'replica' ? this.database.queryReplica<T>(text, values) : this.database.query<T>(text, values);
    const texts = STATEMENTS[accountId === null ? 'organization' : 'account'];
    const parameters = [accountId ?? organizationId, organizationId, firstDayOf(period)];
    const known = await read<Carried>(texts.carried, parameters);
    if (known[0] === undefined) return [];
    const { stored, low, high } = known[0];
    const carried = known.flatMap(({ stored: _stored, low: _low, high: _high, ...row }) =>
      row.accountId === null ? [] : [row as StatementView],
    );
    if (stored === period) return inOrder(carried);
    const sheet = new Sheet(period, carried);
    const size = this.batch;
    for (const { text, ...numbers } of [
      { text: texts.laterLines, low: 0, high: low },
      { text: texts.records, low, high },
    ]) {
      const next = (above: number) => read<Row>(text, [...parameters, above, numbers.high, size]);
      for await (const rows of batchesOf(next, { ...numbers, size }))
        for (const row of rows)
          if (row.accountId !== null && (stored === null || row.period > stored)) sheet.add(row);
    }
    return inOrder(sheet.rows().map((row) => this.named(row)));
  }

  private named(row: Names & Amounts): StatementView {
    const { uniqueAssetId } = row;
    const asset = this.catalogue.asset(uniqueAssetId);
    const currency = asset?.symbol ?? row.currency ?? uniqueAssetId;
    return { ...row, currency, decimals: asset?.decimals ?? row.decimals ?? 0 };
  }
}

const ZEROES = Object.fromEntries(PART_NAMES.map((name) => [name, 0n])) as Record<PartName, bigint>;

class Sheet {
  private readonly byKey = new Map<string, Names & { opening: bigint } & Record<PartName, bigint>>();

  constructor(
    private readonly period: Period,
    carried: readonly StatementView[],
  ) {
    for (const { closing, ...names } of carried)
      if (closing !== 0n) this.byKey.set(keyOf(names), { ...names, ...ZEROES, opening: closing });
  }

  add(sums: Sums): void {
    const row = this.byKey.get(keyOf(sums)) ?? { ...sums, ...ZEROES, opening: 0n };
    const next = { ...row, currency: row.currency ?? sums.currency, decimals: row.decimals ?? sums.decimals };
    for (const name of PART_NAMES) next[sums.period < this.period ? 'opening' : name] += sums[name];
    this.byKey.set(keyOf(sums), next);
  }

  rows(): (Names & Amounts)[] {
    return [...this.byKey.values()].map((row) => ({
      ...row,
      closing: PART_NAMES.reduce((sum, name) => sum + row[name], row.opening),
    }));
  }
}

function keyOf({ accountId, uniqueAssetId }: Pick<Names, 'accountId' | 'uniqueAssetId'>): string {
  return `${accountId} ${uniqueAssetId}`;
}

function inOrder(rows: StatementView[]): StatementView[] {
  return rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
