import { canonicalAddressSql } from '#contexts/networks/contract/address-spelling.js';
import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { toJson } from '#shared/platform/database/rows.js';
import type {
  DueAddress,
  SettlementMinimum,
  WaitingFundsTotal,
} from '#contexts/settlement/domain/settling/due-money.js';
import { MIN_SECONDS_BETWEEN_FAILURES } from '#contexts/settlement/domain/settling/set-aside.js';
import { SELECT_PAYOUTS_IN_OPEN_BATCHES } from './batches.js';

/**
 * Funds count as old after $3 hours. The amount is compared before `settled` is looked up, which is more expensive.
 */
const FROM_WAITING = `
FROM settlement.waiting w
LEFT JOIN jsonb_to_recordset($2::jsonb) AS t (asset text, first numeric, repeat numeric, "agedFirst" numeric,
  "agedRepeat" numeric) ON t.asset = w.unique_asset_id
LEFT JOIN LATERAL (SELECT ${canonicalAddressSql('a.settlement_address')} AS address FROM payments.public_known_addresses a
  WHERE a.network = w.network AND a.address = w.address AND a.tag = w.tag
    AND EXISTS (SELECT FROM settlement.failing_terms e WHERE e.network = $1 AND e.retry_at IS NOT NULL)
  LIMIT 1) g ON true
LEFT JOIN settlement.failing_terms f ON f.network = w.network AND f.unique_asset_id = w.unique_asset_id
  AND f.settlement_address = g.address AND f.retry_at IS NOT NULL
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM settlement.settled_addresses a
    JOIN settlement.settlements s ON s.id = a.settlement_id AND s.status <> 'failed'
    WHERE a.payment_request_id = w.payment_request_id AND a.address = w.address) AS settled) b
WHERE w.network = $1 AND w.amount > 0`;

/** Rule of domain/settling/worth-settling.ts. `first` and `repeat` are NULL if no amount alone makes a payout due. */
const IS_WORTH_SETTLING = `(w.amount >= t.repeat AND (w.amount >= t.first OR b.settled)
  OR w.waiting_since <= platform.now() - make_interval(secs => $3 * 3600)
    AND w.amount >= t."agedRepeat" AND (w.amount >= t."agedFirst" OR b.settled))`;
/** Necessary condition for `IS_WORTH_SETTLING`. It reads only `w` and `t`, so that rows that fail it need no lookup. */
const MAY_BE_WORTH_SETTLING = `w.amount >= t."agedRepeat"`;

const IS_HELD = `EXISTS (SELECT FROM payments.public_settlement_holds h
  WHERE h.network = w.network AND h.address = w.address AND h.tag = w.tag)`;
const AWAITS_FINALITY = `EXISTS (SELECT FROM payments.public_transfers_before_finality t
  WHERE t.network = w.network AND t.payment_request_id = w.payment_request_id AND t.address = w.address AND t.tag = w.tag)`;
const IS_SET_ASIDE = `(COALESCE(f.retry_at > platform.now(), false) OR EXISTS (SELECT FROM settlement.set_aside s
  WHERE s.network = w.network AND s.address = w.address AND s.unique_asset_id = w.unique_asset_id
    AND s.retry_at > platform.now()))`;
const MAY_BE_TRIED = `(f.retry_at IS NULL OR NOT EXISTS (SELECT FROM settlement.failing_terms l
  WHERE l.network = w.network AND l.unique_asset_id = w.unique_asset_id AND l.retry_at > platform.now()
    AND l.failed_at > platform.now() - make_interval(secs => ${MIN_SECONDS_BETWEEN_FAILURES})))`;
const IS_IN_FLIGHT = `(w.address, w.unique_asset_id) IN (${SELECT_PAYOUTS_IN_OPEN_BATCHES})`;

const SELECT_DUE_IN_TURNS = `
SELECT d.*, k.derivation, k.settlement_address, k.fee_recipient, k.fee_basis_points
FROM (
  SELECT * FROM (
    SELECT w.network, w.tag, w.address, w.unique_asset_id, w.amount, w.waiting_since, w.organization_id,
      w.account_id, w.payment_request_id, b.settled AS is_settled, f.retry_at IS NOT NULL AS is_trial,
      row_number() OVER (PARTITION BY w.organization_id, w.unique_asset_id ORDER BY w.waiting_since, w.address) AS turn,
      row_number() OVER (PARTITION BY f.settlement_address, w.unique_asset_id ORDER BY w.waiting_since, w.address) AS trial
    ${FROM_WAITING} AND t.asset IS NOT NULL AND ${IS_WORTH_SETTLING} AND NOT ${IS_HELD} AND NOT ${IS_SET_ASIDE} AND NOT ${IS_IN_FLIGHT}
      AND NOT ${AWAITS_FINALITY} AND ${MAY_BE_TRIED} AND ${MAY_BE_WORTH_SETTLING}
  ) each WHERE NOT is_trial OR trial = 1
  ORDER BY turn, waiting_since, address LIMIT $4
) d CROSS JOIN LATERAL (SELECT * FROM payments.public_known_addresses a
  WHERE a.network = d.network AND a.address = d.address AND a.tag = d.tag LIMIT 1) k
ORDER BY d.turn, d.waiting_since, d.address`;

const SELECT_WAITING_SUMS = `
SELECT unique_asset_id, currency, decimals, standing, count(*)::integer AS addresses, sum(amount) AS amount,
  min(waiting_since) AS oldest
FROM (SELECT w.unique_asset_id, w.currency, w.decimals, w.amount, w.waiting_since,
    CASE WHEN ${IS_IN_FLIGHT} THEN 'in_flight' WHEN ${IS_HELD} THEN 'held' WHEN t.asset IS NULL THEN 'not_catalogued'
      WHEN ${IS_SET_ASIDE} THEN 'set_aside'
      WHEN ${AWAITS_FINALITY} THEN 'awaits_finality' WHEN ${IS_WORTH_SETTLING} THEN 'due' ELSE 'not_worth_its_gas' END AS standing
  ${FROM_WAITING}) each
GROUP BY unique_asset_id, currency, decimals, standing ORDER BY unique_asset_id, standing`;

@Injectable()
export class DueFunds {
  constructor(private readonly database: Database) {}

  /**
   * Returns the oldest address of each organization and asset, then the second-oldest of each, and so on, so that an
   * organization with many addresses cannot block others.
   * @param afterHours age from which waiting funds count as old
   */
  async listRoundRobin(
    network: string,
    terms: readonly SettlementMinimum[],
    afterHours: number,
    most: number,
  ): Promise<DueAddress[]> {
    const values = [network, minimumRows(terms), afterHours, most];
    return this.database.query<DueAddress>(SELECT_DUE_IN_TURNS, values);
  }

  /** True if any deposit address holds funds, due or not. */
  async isAnyWaiting(network: string): Promise<boolean> {
    const [row] = await this.database.query<{ exists: boolean }>(
      'SELECT EXISTS (SELECT FROM settlement.waiting WHERE network = $1 AND amount > 0)',
      [network],
    );
    return row!.exists;
  }

  async sumWaitingFunds(
    network: string,
    terms: readonly SettlementMinimum[],
    afterHours: number,
  ): Promise<WaitingFundsTotal[]> {
    const values = [network, minimumRows(terms), afterHours];
    return this.database.query<WaitingFundsTotal>(SELECT_WAITING_SUMS, values);
  }
}

function minimumRows(terms: readonly SettlementMinimum[]): string {
  return toJson(terms.map(({ uniqueAssetId: asset, minimum }) => ({ asset, ...minimum })));
}
