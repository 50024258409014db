import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { selectIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { RefundEvent } from '#contexts/settlement/contract/refund-events.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import type {
  FloatPayoutOutcome,
  FloatPayment,
  FloatPayout,
  NewFloatPayout,
  FloatPayoutDelay,
  FloatPayoutView,
} from '#contexts/settlement/domain/refunds/float-payouts.js';
import { holdingKeyOf, NATIVE_HOLDING_KEY } from '#contexts/settlement/domain/refunds/refund-float.js';

interface PayoutRow extends Omit<FloatPayout, 'asset' | 'call'> {
  readonly network: string;
  readonly holding: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly callTo: string | null;
  readonly callData: string;
  readonly callValue: bigint;
  readonly callGasLimit: number;
}

const SELECT_PAYOUTS = `SELECT p.id, COALESCE(p.sending_id, p.id) AS sending_id, p.kind, p.float_id, f.address AS float_address,
    p.organization_id, p.account_id, p.network, p.holding, p.unique_asset_id, p.currency, p.decimals, p.amount,
    p.to_address AS "to", p.gas_reserved, p.call_to, '0x' || encode(p.call_data, 'hex') AS call_data, p.call_value,
    p.call_gas_limit, p.sent_at IS NOT NULL AS sent, p.tries, p.keyless_since, p.ordered_by
  FROM settlement.refund_float_payouts p JOIN settlement.refund_floats f ON f.id = p.float_id`;

const SELECT_DUE_IN_TURNS = selectIdsRoundRobin({
  table: 'settlement.refund_float_payouts',
  waits: `t.network = $1 AND t.status = 'processing'`,
  isDue: 't.due_at <= platform.now()',
  oldestFirst: 't.due_at, t.id',
  limit: '$2',
});

@Injectable()
export class FloatPayouts {
  constructor(
    private readonly database: Database,
    private readonly eventLog: EventLog,
  ) {}

  async reserve(payout: NewFloatPayout, events: readonly RefundEvent[] = []): Promise<void> {
    const { asset } = payout;
    const holding = holdingKeyOf(asset);
    for (const [each, amount] of reservedAmounts(holding, payout.amount, payout.gasReserved)) {
      await this.database.queryInTransaction(
        `INSERT INTO settlement.refund_float_holdings AS h (float_id, holding, reserved) VALUES ($1, $2, $3)
         ON CONFLICT (float_id, holding) DO UPDATE SET reserved = h.reserved + excluded.reserved`,
        [payout.floatId, each, amount.toString()],
      );
    }
    if (payout.fromAllotment)
      await this.deductFromAllotment(payout.accountId, asset.uniqueAssetId, payout.amount);
    await this.database.queryInTransaction(
      `INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
         unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by, from_allotment)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
      [
        ...[payout.id, payout.floatId, payout.organizationId, payout.accountId, asset.network, payout.kind],
        ...[holding, asset.uniqueAssetId, asset.symbol, asset.decimals, payout.amount.toString(), payout.to],
        ...[payout.gasReserved.toString(), payout.orderedBy, payout.fromAllotment],
      ],
    );
    await this.eventLog.append(events);
  }

  /** Alternates between organizations; the oldest payouts of each organization come first. */
  async listDue(network: string, limit: number): Promise<FloatPayout[]> {
    const rows = await this.database.query<PayoutRow>(
      `${SELECT_PAYOUTS} JOIN ${SELECT_DUE_IN_TURNS} taken ON taken.id = p.id ORDER BY taken.turn, p.due_at, p.id`,
      [network, limit],
    );
    return rows.map(payoutFrom);
  }

  async find(id: string): Promise<FloatPayout | null> {
    const [row] = await this.database.query<PayoutRow>(`${SELECT_PAYOUTS} WHERE p.id = $1`, [id]);
    return row === undefined ? null : payoutFrom(row);
  }

  /** Must run in the unit of work that reserves the nonce. False if the payout has ended or was already sent. */
  async markSent(id: string, call: PlannedTransfer['call']): Promise<boolean> {
    const sent = await this.database.queryInTransaction(
      `UPDATE settlement.refund_float_payouts SET call_to = $2, call_data = $3, call_value = $4, call_gas_limit = $5,
         sent_at = platform.now(), held = NULL, tries = 0, keyless_since = NULL
       WHERE id = $1 AND status = 'processing' AND sent_at IS NULL RETURNING id`,
      [
        ...[id, canonicalAddress(call.to), Buffer.from(call.data.slice(2), 'hex')],
        ...[call.value.toString(), call.gasLimit.toString()],
      ],
    );
    return sent.length > 0;
  }

  /** Oldest first. */
  async listUnfinished(floatId: string, { holding, to, amount }: FloatPayment): Promise<FloatPayout[]> {
    const rows = await this.database.query<PayoutRow>(
      `${SELECT_PAYOUTS} WHERE p.float_id = $1 AND p.status = 'processing' AND p.holding = $2 AND p.to_address = $3
         AND p.amount = $4 ORDER BY p.created_at, p.id`,
      [floatId, holding, to, amount.toString()],
    );
    return rows.map(payoutFrom);
  }

  /** A call that is already stored stays unchanged. */
  async linkOutboundTransaction(id: string, sendingId: string, call: PlannedTransfer['call']): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE settlement.refund_float_payouts SET sending_id = NULLIF($2::uuid, id), call_to = COALESCE(call_to, $3),
         call_data = COALESCE(call_data, $4), call_value = COALESCE(call_value, $5),
         call_gas_limit = COALESCE(call_gas_limit, $6), sent_at = COALESCE(sent_at, platform.now()), held = NULL, tries = 0,
         keyless_since = NULL, due_at = platform.now()
       WHERE id = $1 AND status = 'processing'`,
      [
        ...[id, sendingId, call.to, Buffer.from(call.data.slice(2), 'hex')],
        ...[call.value.toString(), call.gasLimit.toString()],
      ],
    );
  }

  async putOff(id: string, { held, seconds, why }: FloatPayoutDelay): Promise<void> {
    await this.database.query(
      `UPDATE settlement.refund_float_payouts SET held = $2, due_at = platform.now() + make_interval(secs => $3),
         tries = CASE WHEN $4 THEN tries + 1 ELSE 0 END,
         keyless_since = CASE WHEN $5 THEN COALESCE(keyless_since, platform.now()) END
       WHERE id = $1 AND status = 'processing'`,
      [id, held, seconds, why === 'recipient', why === 'key'],
    );
  }

  /**
   * If `payout.sent` is false, ends only a payout that is still unsent: once a nonce is reserved, only the chain
   * decides.
   */
  async end(
    payout: FloatPayout,
    ended: FloatPayoutOutcome,
    events: readonly RefundEvent[] = [],
  ): Promise<boolean> {
    await this.database.queryInTransaction('SELECT FROM settlement.refund_floats WHERE id = $1 FOR UPDATE', [
      payout.floatId,
    ]);
    const [row] = await this.database.queryInTransaction<{ fromAllotment: boolean }>(
      `UPDATE settlement.refund_float_payouts SET status = $2, transaction_hash = $3, block_number = $4, gas = $5,
         failure = $6, held = NULL, ended_at = platform.now()
       WHERE id = $1 AND status = 'processing' AND COALESCE(sending_id, id) = $8
         AND ($7 OR sent_at IS NULL AND NOT EXISTS (SELECT FROM networks.public_sendings s WHERE s.id = $8))
       RETURNING from_allotment`,
      [
        ...[payout.id, ended.status, ended.transactionHash, ended.blockNumber],
        ...[ended.blockNumber === null ? null : ended.gas.toString(), ended.failure, payout.sent],
        payout.sendingId,
      ],
    );
    if (row === undefined) return false;
    if (row.fromAllotment && ended.status === 'failed')
      await this.deductFromAllotment(payout.accountId, payout.asset.uniqueAssetId, -payout.amount);
    const holding = holdingKeyOf(payout.asset);
    const left = ended.status === 'completed' ? payout.amount : 0n;
    await this.database.queryInTransaction(
      `UPDATE settlement.refund_float_holdings SET reserved = reserved - $3,
         refunded = refunded + CASE WHEN $5 = 'refund' THEN $4::numeric ELSE 0 END,
         withdrawn = withdrawn + CASE WHEN $5 = 'withdrawal' THEN $4::numeric ELSE 0 END
       WHERE float_id = $1 AND holding = $2`,
      [payout.floatId, holding, payout.amount.toString(), left.toString(), payout.kind],
    );
    await this.database.queryInTransaction(
      `UPDATE settlement.refund_float_holdings SET reserved = reserved - $2, gas = gas + $3
       WHERE float_id = $1 AND holding = '${NATIVE_HOLDING_KEY}'`,
      [payout.floatId, payout.gasReserved.toString(), ended.gas.toString()],
    );
    await this.eventLog.append(events);
    return true;
  }

  /** Unfinished payouts first, then newest first. */
  list(floatId: string, limit: number): Promise<FloatPayoutView[]> {
    return this.database.query<FloatPayoutView>(
      `SELECT id, kind, status, unique_asset_id, currency, decimals, amount, to_address AS "to", held, failure,
         transaction_hash, ordered_by, created_at
       FROM settlement.refund_float_payouts WHERE float_id = $1 ORDER BY (status = 'processing') DESC, id DESC LIMIT $2`,
      [floatId, limit],
    );
  }

  /** @param amount negative to credit the amount again */
  private async deductFromAllotment(account: string, uniqueAssetId: string, amount: bigint): Promise<void> {
    await this.database.queryInTransaction(
      'UPDATE settlement.refund_allotments SET used = used + $3 WHERE account_id = $1 AND unique_asset_id = $2',
      [account, uniqueAssetId, amount.toString()],
    );
  }
}

/** Amount and gas are one sum for the native coin. */
function reservedAmounts(holding: string, amount: bigint, gas: bigint): [string, bigint][] {
  return holding === NATIVE_HOLDING_KEY
    ? [[NATIVE_HOLDING_KEY, amount + gas]]
    : [
        [holding, amount],
        [NATIVE_HOLDING_KEY, gas],
      ];
}

function payoutFrom(row: PayoutRow): FloatPayout {
  const { network, holding, uniqueAssetId, currency: symbol, decimals, ...others } = row;
  const { callTo: to, callData: data, callValue: value, callGasLimit: gasLimit, ...payout } = others;
  const token = holding === NATIVE_HOLDING_KEY ? symbol : holding;
  return {
    ...payout,
    asset: { network, token, uniqueAssetId, symbol, decimals },
    call: to === null ? null : { to, data, value, gasLimit: BigInt(gasLimit) },
  };
}
