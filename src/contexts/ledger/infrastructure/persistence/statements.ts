import { Injectable } from '@nestjs/common';
import type { AccountId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { Database } from '#shared/platform/database/database.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { firstDayOf, type Period } from '../../domain/periods/period.js';
import {
  readBatches,
  type BatchEnd,
  STATEMENT_AMOUNT_NAMES,
  STATEMENT_PART_NAMES,
  type StatementPartName,
} from './journal-parts.sql.js';
import { STATEMENT_QUERIES } from './statements.sql.js';

type StatementAmounts = Readonly<Record<(typeof STATEMENT_AMOUNT_NAMES)[number], bigint>>;

/** Amounts are signed and in smallest units. `closing` is the sum of the other amounts. */
export interface StatementView extends StatementAmounts {
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** If the asset is no longer in the catalogue: its id, with `decimals` 0. */
  readonly currency: string;
  readonly decimals: number;
}

interface StatementKey {
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  readonly currency: string | null;
  readonly decimals: number | null;
}
type MonthlySums = StatementKey & Readonly<Record<StatementPartName, bigint>> & { readonly period: Period };
/** `accountId` is null if the transactions have no line up to the month. */
type MonthlySumsRow = BatchEnd & (MonthlySums | { readonly accountId: null });
/** `accountId` is null if no month is stored, or the stored month has no statements of the scope. */
type CarriedStatement = { readonly stored: Period | null; readonly low: number; readonly high: number } & (
  StatementView | { readonly accountId: null }
);

@Injectable()
export class Statements {
  /** Few enough to stay far below the statement timeout. */
  readonly batch: number = 20_000;

  constructor(
    private readonly database: Database,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /**
   * The cost grows with the transactions since the last stored month, and with all earlier withdrawals and refunds,
   * because these may have later lines.
   * @param from the primary if the result is stored
   */
  async list(
    { organizationId, accountId }: TenantScope,
    period: Period,
    from: 'replica' | 'primary' = 'replica',
  ): Promise<StatementView[]> {
    const read = <T extends object>(text: string, values: unknown[]): Promise<T[]> =>
      from === 'replica' ? this.database.queryReplica<T>(text, values) : this.database.query<T>(text, values);
    const texts = STATEMENT_QUERIES[accountId === null ? 'organization' : 'account'];
    const parameters = [accountId ?? organizationId, organizationId, firstDayOf(period)];
    const known = await read<CarriedStatement>(texts.carried, parameters);
    if (known[0] === undefined) return [];
    const { stored, low, high } = known[0];
    const carried = known.flatMap(({ stored: _stored, low: _low, high: _high, ...row }) =>
      row.accountId === null ? [] : [row as StatementView],
    );
    if (stored === period) return sortStatements(carried);
    const sheet = new StatementSheet(period, carried);
    const size = this.batch;
    for (const { text, ...numbers } of [
      { text: texts.laterLines, low: 0, high: low },
      { text: texts.records, low, high },
    ]) {
      const next = (above: number) => read<MonthlySumsRow>(text, [...parameters, above, numbers.high, size]);
      for await (const rows of readBatches(next, { ...numbers, size }))
        for (const row of rows)
          if (row.accountId !== null && (stored === null || row.period > stored)) sheet.add(row);
    }
    return sortStatements(sheet.rows().map((row) => this.withAssetName(row)));
  }

  private withAssetName(row: StatementKey & StatementAmounts): StatementView {
    const { uniqueAssetId } = row;
    const asset = this.catalogue.asset(uniqueAssetId);
    const currency = asset?.symbol ?? row.currency ?? uniqueAssetId;
    return { ...row, currency, decimals: asset?.decimals ?? row.decimals ?? 0 };
  }
}

const ZERO_PARTS = Object.fromEntries(STATEMENT_PART_NAMES.map((name) => [name, 0n])) as Record<
  StatementPartName,
  bigint
>;

class StatementSheet {
  private readonly byKey = new Map<
    string,
    StatementKey & { opening: bigint } & Record<StatementPartName, bigint>
  >();

  constructor(
    private readonly period: Period,
    carried: readonly StatementView[],
  ) {
    for (const { closing, ...names } of carried)
      if (closing !== 0n)
        this.byKey.set(statementKeyOf(names), { ...names, ...ZERO_PARTS, opening: closing });
  }

  add(sums: MonthlySums): void {
    const row = this.byKey.get(statementKeyOf(sums)) ?? { ...sums, ...ZERO_PARTS, opening: 0n };
    const next = { ...row, currency: row.currency ?? sums.currency, decimals: row.decimals ?? sums.decimals };
    for (const name of STATEMENT_PART_NAMES) next[sums.period < this.period ? 'opening' : name] += sums[name];
    this.byKey.set(statementKeyOf(sums), next);
  }

  rows(): (StatementKey & StatementAmounts)[] {
    return [...this.byKey.values()].map((row) => ({
      ...row,
      closing: STATEMENT_PART_NAMES.reduce((sum, name) => sum + row[name], row.opening),
    }));
  }
}

function statementKeyOf({
  accountId,
  uniqueAssetId,
}: Pick<StatementKey, 'accountId' | 'uniqueAssetId'>): string {
  return `${accountId} ${uniqueAssetId}`;
}

function sortStatements(rows: StatementView[]): StatementView[] {
  return rows.sort((a, b) => (statementKeyOf(a) < statementKeyOf(b) ? -1 : 1));
}
