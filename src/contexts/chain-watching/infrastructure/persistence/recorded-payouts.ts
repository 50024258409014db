import { Injectable } from '@nestjs/common';
import { type AccountId, type OrganizationId, newId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import {
  type PayoutTerms,
  type PayoutGroup,
  buildPayoutsFinalEvent,
  buildPayoutsRemovedEvent,
  buildPayoutsSeenEvent,
  type RecordedPayout,
  type RemovedPayoutGroup,
  type CanonicalPayout,
} from '../../domain/recorded-payouts.js';

interface OwnedGroup {
  readonly id: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

const PAYOUT_COLUMNS = `p.group_id, p.final, p.transaction_hash, p.log_index, p.block_number, p.block_hash, p.block_time,
  p.from_address AS "from", p.address, p.unique_asset_id, p.currency, p.decimals, p.to_settlement, p.to_fee`;

const PAYOUTS_OF_TRANSACTIONS_SQL = `
SELECT ${PAYOUT_COLUMNS} FROM payments.payouts p
WHERE p.network = $1 AND p.canonical
  AND (p.transaction_hash, p.block_hash) IN (SELECT * FROM UNNEST($2::text[], $3::text[]))`;

const PAYOUT_TERMS_SQL = `
SELECT address, payment_request_id, organization_id, account_id, settlement_address, fee_basis_points
FROM payments.known_addresses WHERE network = $1 AND address = ANY($2) AND tag = ''`;

const INSERT_PAYOUTS_SQL = `
INSERT INTO payments.payouts (network, id, group_id, transaction_hash, log_index, block_number, block_hash, block_time,
  from_address, address, unique_asset_id, currency, decimals, to_settlement, to_fee, payment_request_id, organization_id,
  account_id)
SELECT $1, * FROM UNNEST($2::uuid[], $3::uuid[], $4::text[], $5::integer[], $6::bigint[], $7::text[], $8::timestamptz[],
  $9::text[], $10::text[], $11::text[], $12::text[], $13::smallint[], $14::numeric[], $15::numeric[], $16::uuid[],
  $17::uuid[], $18::uuid[])`;

const FINALIZE_PAYOUTS_SQL = `
UPDATE payments.payouts SET final = true
WHERE canonical AND NOT final AND group_id IN (
  SELECT group_id FROM (
    SELECT group_id FROM payments.payouts WHERE network = $1 AND canonical AND NOT final AND block_number <= $2
    ORDER BY block_number LIMIT $3) oldest)
RETURNING group_id AS id, organization_id, account_id`;

/**
 * Covers all tenants. Methods that change payouts append their events (`contract/payout-events.ts`) in the caller's
 * unit of work.
 */
@Injectable()
export class RecordedPayouts {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {}

  async payoutsBetween(network: string, from: number, to: number): Promise<CanonicalPayout[]> {
    return this.database.query<CanonicalPayout>(
      `SELECT ${PAYOUT_COLUMNS} FROM payments.payouts p
       WHERE p.network = $1 AND p.canonical AND p.block_number BETWEEN $2 AND $3`,
      [network, from, to],
    );
  }

  async payoutsOfTransactions(
    network: string,
    transactions: readonly Pick<RecordedPayout, 'transactionHash' | 'blockHash'>[],
  ): Promise<CanonicalPayout[]> {
    const hashes = transactions.map(({ transactionHash }) => transactionHash);
    const blocks = transactions.map(({ blockHash }) => blockHash);
    return this.database.query<CanonicalPayout>(PAYOUTS_OF_TRANSACTIONS_SQL, [network, hashes, blocks]);
  }

  async payoutTermsByAddress(
    network: string,
    addresses: readonly string[],
  ): Promise<Map<string, PayoutTerms>> {
    const rows = await this.database.query<PayoutTerms & { address: string }>(PAYOUT_TERMS_SQL, [
      network,
      addresses,
    ]);
    return new Map(rows.map(({ address, ...terms }) => [address, terms]));
  }

  async addGroups(network: string, groups: readonly PayoutGroup[], at: Date): Promise<void> {
    if (groups.length === 0) return;
    const rows = groups.flatMap(({ id, payouts }) => payouts.map((payout) => ({ ...payout, groupId: id })));
    const all = (of: (row: (typeof rows)[number]) => unknown): unknown[] => rows.map(of);
    await this.database.queryInTransaction(INSERT_PAYOUTS_SQL, [
      network,
      all(() => newId()),
      all(({ groupId }) => groupId),
      all(({ transactionHash }) => transactionHash),
      all(({ logIndex }) => logIndex),
      all(({ blockNumber }) => blockNumber),
      all(({ blockHash }) => blockHash),
      all(({ blockTime }) => blockTime),
      all(({ from }) => from),
      all(({ address }) => address),
      all(({ uniqueAssetId }) => uniqueAssetId),
      all(({ currency }) => currency),
      all(({ decimals }) => decimals),
      all(({ toSettlement }) => toSettlement.toString()),
      all(({ toFee }) => toFee.toString()),
      all(({ terms }) => terms.paymentRequestId),
      all(({ terms }) => terms.organizationId),
      all(({ terms }) => terms.accountId),
    ]);
    await this.eventLog.append(groups.map((group) => buildPayoutsSeenEvent(network, group, at)));
  }

  async removeGroups(network: string, groups: readonly string[], at: Date): Promise<RemovedPayoutGroup[]> {
    if (groups.length === 0) return [];
    return this.removeWhere(network, 'group_id = ANY($2)', groups, at);
  }

  removeAbove(network: string, blockNumber: number, at: Date): Promise<RemovedPayoutGroup[]> {
    return this.removeWhere(network, 'block_number > $2', blockNumber, at);
  }

  /**
   * Marks payout groups that have become final, oldest first: at most `limit` payouts, plus the other payouts of
   * their groups.
   */
  async finalize(network: string, finalNumber: number, limit: number, at: Date): Promise<boolean> {
    const rows = await this.database.queryInTransaction<OwnedGroup>(FINALIZE_PAYOUTS_SQL, [
      network,
      finalNumber,
      limit,
    ]);
    const groups = distinctGroups(rows);
    await this.eventLog.append(groups.map((group) => buildPayoutsFinalEvent(network, group, at)));
    return rows.length >= limit;
  }

  private async removeWhere(
    network: string,
    condition: string,
    value: unknown,
    at: Date,
  ): Promise<RemovedPayoutGroup[]> {
    const rows = await this.database.queryInTransaction<RemovedPayoutGroup>(
      `UPDATE payments.payouts SET canonical = false WHERE network = $1 AND canonical AND ${condition}
       RETURNING group_id AS id, organization_id, account_id, transaction_hash, final AS were_final`,
      [network, value],
    );
    const removed = distinctGroups(rows);
    await this.eventLog.append(removed.map((group) => buildPayoutsRemovedEvent(network, group, at)));
    return removed;
  }
}

function distinctGroups<Row extends { readonly id: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
