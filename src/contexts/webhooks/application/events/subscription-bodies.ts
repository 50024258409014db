import { formatAmount } from '#shared/kernel/amount.js';
import {
  REVOKERS,
  type SubscriptionStatusChanged,
} from '#contexts/subscriptions/contract/subscription-events.js';
import {
  ASSET,
  CURRENCY,
  described,
  kindOfBody,
  like,
  NETWORK,
  oneOf,
  optional,
  TEXT,
  TIME,
  UUID,
  type BodyFields,
} from './body-fields.js';

export const SUBSCRIPTION_FIELDS: BodyFields<SubscriptionStatusChanged> = {
  notification_type: kindOfBody('subscription_status_update', 'SubscriptionNotificationType'),
  subscription_id: [UUID, ({ aggregateId }) => aggregateId],
  status: [
    oneOf(
      'SubscriptionStatus',
      ['pending', 'active', 'past_due', 'completed', 'expired', 'revoked'],
      '`pending`: offered. `active`: accepted by a wallet, and again once what was owed is paid. `past_due`: its last charge is ' +
        'unpaid. `completed`: past its end. `expired`: not accepted in time. `revoked`: no more charges, for good.',
    ),
    ({ data }) => data.status,
  ],
  external_reference_id: [
    described(TEXT, 'The subscription’s `reference_id`, else its id: as its charges carry it.'),
    ({ aggregateId, data }) => data.referenceId ?? aggregateId,
  ],
  point_of_sale_id: [UUID, ({ data }) => data.pointOfSaleId],
  account_id: [UUID, ({ accountId }) => accountId],
  amount: [
    like('5', 'Of each charge, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.amount), data.decimals),
  ],
  currency: [CURRENCY, ({ data }) => data.currency],
  network: [NETWORK, ({ data }) => data.network],
  unique_asset_id: [ASSET, ({ data }) => data.uniqueAssetId],
  interval: [like('P1M', '`P1D`, `P1W`, `P1M` or `P1Y`.'), ({ data }) => data.interval],
  wallet_external_id: [
    optional(described(TEXT, 'Absent before acceptance.')),
    ({ data }) => data.walletExternalId,
  ],
  next_charge_at: [
    optional(described(TIME, 'Absent where no due date is known, or none follows.')),
    ({ data }) => data.nextChargeAt,
  ],
  expires_at: [optional(described(TIME, 'Of `pending`: when the offer ends.')), ({ data }) => data.expiresAt],
  revoked_by: [
    optional(
      oneOf(
        'SubscriptionRevoker',
        REVOKERS,
        'Of `revoked`. `unpaid`: the service itself, since charges stayed unpaid.',
      ),
    ),
    ({ data }) => data.revokedBy,
  ],
};
