import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import {
  type FloatHolding,
  type FloatBalanceResult,
  NATIVE_HOLDING_KEY,
  type RefundFloat,
  type FloatWithAddress,
  type FloatBalance,
  type TopUpToStore,
} from '#contexts/settlement/domain/refunds/refund-float.js';

const FLOAT_COLUMNS = 'id, organization_id, account_id, network, address, replaced_at';

const SELECT_HOLDINGS = `SELECT float_id, holding, topped_up, refunded, withdrawn, gas, missing, reserved, balance, block_number
  FROM settlement.refund_float_holdings WHERE float_id = ANY ($1::uuid[])`;

@Injectable()
export class RefundFloats {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {}

  /** The address of a new float may still be unknown. */
  async findOrCreate(organization: OrganizationId, network: string): Promise<RefundFloat> {
    const found = await this.findCurrent(organization, network);
    if (found !== undefined) return found;
    await this.database.query(
      `INSERT INTO settlement.refund_floats (id, organization_id, account_id, network)
       SELECT $3, $1, id, $2 FROM identity.public_accounts WHERE organization_id = $1 ORDER BY id LIMIT 1
       ON CONFLICT (organization_id, network) WHERE replaced_at IS NULL DO NOTHING`,
      [organization, network, newId()],
    );
    const made = await this.findCurrent(organization, network);
    if (made === undefined) throw notFound('organization');
    return made;
  }

  list(organization: OrganizationId | null): Promise<RefundFloat[]> {
    return this.database.query<RefundFloat>(
      `SELECT ${FLOAT_COLUMNS} FROM settlement.refund_floats WHERE $1::uuid IS NULL OR organization_id = $1
       ORDER BY organization_id, network, replaced_at DESC NULLS FIRST`,
      [organization],
    );
  }

  /** True for a current or replaced float. */
  async has(network: string, address: string): Promise<boolean> {
    const rows = await this.database.query(
      'SELECT 1 FROM settlement.refund_floats WHERE network = $1 AND address = $2',
      [network, address],
    );
    return rows.length > 0;
  }

  /** Ordered by id. */
  listWithoutAddress(network: string, after: string | null, limit: number): Promise<RefundFloat[]> {
    return this.database.query<RefundFloat>(
      `SELECT ${FLOAT_COLUMNS} FROM settlement.refund_floats
       WHERE network = $1 AND address IS NULL AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [network, after, limit],
    );
  }

  async setAddress(id: string, address: string): Promise<void> {
    await this.database.query(
      'UPDATE settlement.refund_floats SET address = $2 WHERE id = $1 AND address IS NULL',
      [id, address],
    );
  }

  /** Null if the float was already replaced. */
  async replace(float: RefundFloat, address: string): Promise<RefundFloat | null> {
    const replaced = await this.database.queryInTransaction(
      'UPDATE settlement.refund_floats SET replaced_at = platform.now() WHERE id = $1 AND replaced_at IS NULL RETURNING id',
      [float.id],
    );
    if (replaced.length === 0) return null;
    const id = newId<string>();
    await this.database.queryInTransaction(
      `INSERT INTO settlement.refund_floats (id, organization_id, account_id, network, address)
       VALUES ($1, $2, $3, $4, $5)`,
      [id, float.organizationId, float.accountId, float.network, address],
    );
    return { ...float, id, address, replacedAt: null };
  }

  /** Ordered by id. */
  listWithAddress(network: string, after: string | null, limit: number): Promise<FloatWithAddress[]> {
    return this.database.query<FloatWithAddress>(
      `SELECT ${FLOAT_COLUMNS} FROM settlement.refund_floats
       WHERE network = $1 AND address IS NOT NULL AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
      [network, after, limit],
    );
  }

  async holdings(id: string): Promise<ReadonlyMap<string, FloatHolding>> {
    return (await this.holdingsOfAll([id])).get(id) ?? new Map();
  }

  /** Omits floats that hold nothing. */
  async holdingsOfAll(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, FloatHolding>>> {
    const rows = await this.database.query<FloatHolding & { floatId: string }>(SELECT_HOLDINGS, [ids]);
    const all = new Map<string, Map<string, FloatHolding>>();
    for (const { floatId, ...holding } of rows)
      all.set(floatId, (all.get(floatId) ?? new Map()).set(holding.holding, holding));
    return all;
  }

  /** Locks until the unit of work ends, so that the same funds are not reserved twice. */
  async lock(id: string): Promise<ReadonlyMap<string, FloatHolding>> {
    await this.database.queryInTransaction('SELECT FROM settlement.refund_floats WHERE id = $1 FOR UPDATE', [
      id,
    ]);
    // Only a separate statement sees changes that were committed while the lock waited.
    return this.holdings(id);
  }

  /** @throws state_conflict if the float was replaced */
  async lockCurrent(id: string): Promise<ReadonlyMap<string, FloatHolding>> {
    const holdings = await this.lock(id);
    const present = await this.database.query(
      'SELECT 1 FROM settlement.refund_floats WHERE id = $1 AND replaced_at IS NULL',
      [id],
    );
    if (present.length > 0) return holdings;
    throw stateConflict('The refund float was replaced in the meantime. Repeat the request.');
  }

  /** Sums by asset what left the locked float through ended payouts in blocks up to `blockNumber`. */
  async leftBy(
    id: string,
    blockNumber: number,
  ): Promise<{ left: ReadonlyMap<string, bigint>; underWay: boolean }> {
    const rows = await this.database.queryInTransaction<{ holding: string; amount: bigint }>(
      `SELECT holding, sum(amount) AS amount FROM (
         SELECT holding, amount FROM settlement.refund_float_payouts
         WHERE float_id = $1 AND block_number <= $2 AND status = 'completed'
         UNION ALL
         SELECT '${NATIVE_HOLDING_KEY}', gas FROM settlement.refund_float_payouts
         WHERE float_id = $1 AND block_number <= $2 AND gas IS NOT NULL) part GROUP BY holding`,
      [id, blockNumber],
    );
    const planned = await this.database.queryInTransaction(
      `SELECT 1 FROM settlement.refund_float_payouts
       WHERE float_id = $1 AND status = 'processing' AND call_to IS NOT NULL LIMIT 1`,
      [id],
    );
    const left = new Map(rows.map(({ holding, amount }) => [holding, amount]));
    return { left, underWay: planned.length > 0 };
  }

  async storeBalance(
    { float, holding, balance, blockNumber }: FloatBalance,
    { toppedUp, missing }: FloatBalanceResult,
    topUp: TopUpToStore | null,
  ): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO settlement.refund_float_holdings AS h (float_id, holding, topped_up, missing, balance, block_number)
       VALUES ($1, $2, $3, COALESCE($4::numeric, 0), $5, $6)
       ON CONFLICT (float_id, holding) DO UPDATE SET topped_up = h.topped_up + excluded.topped_up,
         missing = COALESCE($4::numeric, h.missing), balance = excluded.balance, block_number = excluded.block_number`,
      [float.id, holding, toppedUp.toString(), missing?.toString() ?? null, balance.toString(), blockNumber],
    );
    if (topUp === null) return;
    await this.database.queryInTransaction(
      `INSERT INTO settlement.refund_float_top_ups
         (id, float_id, organization_id, account_id, holding, unique_asset_id, amount, block_number)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        ...[topUp.id, float.id, float.organizationId, float.accountId, holding, topUp.uniqueAssetId],
        ...[toppedUp.toString(), blockNumber],
      ],
    );
    await this.eventLog.append(topUp.event === null ? [] : [topUp.event]);
  }

  private async findCurrent(organization: OrganizationId, network: string): Promise<RefundFloat | undefined> {
    const [row] = await this.database.query<RefundFloat>(
      `SELECT ${FLOAT_COLUMNS} FROM settlement.refund_floats WHERE organization_id = $1 AND network = $2
         AND replaced_at IS NULL`,
      [organization, network],
    );
    return row;
  }
}
