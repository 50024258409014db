import { Injectable } from '@nestjs/common';
import type { PaymentRequestEvent } from '#contexts/payments/contract/payment-request-events.js';
import type { RefundEvent } from '#contexts/settlement/contract/refund-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { Database } from '#shared/platform/database/database.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { CHANGES_OF_EVENTS, EVENT_FIELDS, sumOfChangesSql } from './persistence/analytics-changes.sql.js';

export const ANALYTICS_SUBSCRIBER = 'figures';

export const COUNTED_EVENTS: readonly (
  PaymentRequestEvent | RefundEvent | SettlementStatusChanged
)['type'][] = [
  'payment_request.status_changed',
  'payment_request.confirmed',
  'payment_request.deposit_received',
  'payment_request.credit_reversed',
  'settlement.status_changed',
  'refund.status_changed',
];

export const IS_COUNTED_EVENT = `type IN ('${COUNTED_EVENTS.join(`', '`)}')`;

const EVENT_ROWS = `events AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS t (${EVENT_FIELDS}))`;

/** The lock on the subscriber's checkpoint lets only one process count at a time. */
export const ADD_TO_DAILY_ANALYTICS = `
WITH ${EVENT_ROWS}
INSERT INTO figures.daily AS d
  (generation, scope_id, organization_id, account_id, day, figure, part, number, amount)
SELECT p.generation, c.* FROM figures.present p, (${sumOfChangesSql(CHANGES_OF_EVENTS)}) c
ON CONFLICT (generation, scope_id, day, figure, part)
  DO UPDATE SET number = d.number + excluded.number, amount = d.amount + excluded.amount`;

/** All events of an asset have the same names, so any row is correct. */
const STORE_ASSET_NAMES = `
WITH ${EVENT_ROWS}
INSERT INTO figures.assets (unique_asset_id, network, currency, decimals)
SELECT DISTINCT ON (1) data ->> 'uniqueAssetId', data ->> 'network', data ->> 'currency', (data ->> 'decimals')::smallint
FROM events WHERE data ? 'uniqueAssetId' ORDER BY 1 ON CONFLICT DO NOTHING`;

/** REMOVE_DEPOSITS then removes those that the same batch reverses. */
const STORE_DEPOSITS = `
WITH ${EVENT_ROWS}
INSERT INTO figures.deposits
  (generation, transfer_id, organization_id, account_id, payment_request_id, unique_asset_id, amount, at)
SELECT p.generation, (data ->> 'transferId')::uuid, organization_id, account_id, aggregate_id, data ->> 'uniqueAssetId',
  (data ->> 'amount')::numeric, occurred_at
FROM events, figures.present p WHERE type = 'payment_request.deposit_received' AND NOT data ? 'gathered'
ON CONFLICT DO NOTHING`;

const REMOVE_REVERSED_DEPOSITS = `
WITH ${EVENT_ROWS}
DELETE FROM figures.deposits d USING events e, figures.present p
WHERE e.type = 'payment_request.credit_reversed' AND d.generation = p.generation
  AND d.transfer_id = (e.data ->> 'transferId')::uuid`;

@Injectable()
export class AnalyticsSubscriber extends EventSubscriber {
  override readonly name = ANALYTICS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = COUNTED_EVENTS;

  constructor(private readonly database: Database) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    const types = new Set(events.map(({ type }) => type));
    const values = [JSON.stringify(events.map(toEventRow), omitAddresses)];
    await this.database.queryInTransaction(ADD_TO_DAILY_ANALYTICS, values);
    if (types.size > 1 || !types.has('payment_request.status_changed'))
      await this.database.queryInTransaction(STORE_ASSET_NAMES, values);
    if (types.has('payment_request.deposit_received'))
      await this.database.queryInTransaction(STORE_DEPOSITS, values);
    if (types.has('payment_request.credit_reversed'))
      await this.database.queryInTransaction(REMOVE_REVERSED_DEPOSITS, values);
  }
}

function toEventRow({ type, aggregateId, organizationId, accountId, occurredAt, data }: PublishedEvent) {
  return {
    ...{ type, aggregate_id: aggregateId, organization_id: organizationId, account_id: accountId },
    ...{ occurred_at: occurredAt, data },
  };
}

/** Up to a thousand addresses that analytics does not need. */
function omitAddresses(key: string, value: unknown): unknown {
  return key === 'addresses' ? undefined : value;
}
