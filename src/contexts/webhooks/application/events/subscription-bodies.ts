import { formatAmount } from '#shared/kernel/amount.js';
import {
  REVOKERS,
  type SubscriptionStatusChanged,
} from '#contexts/subscriptions/contract/subscription-events.js';
import {
  ASSET_ID_FIELD,
  ASSET_SYMBOL_FIELD,
  withDescription,
  kindField,
  textFieldLike,
  NETWORK_FIELD,
  enumField,
  optionalField,
  TIME_FIELD,
  UUID_FIELD,
  type WebhookBodyFields,
} from './body-fields.js';

export const SUBSCRIPTION_FIELDS: WebhookBodyFields<SubscriptionStatusChanged> = {
  notification_type: kindField('subscription_status_update', 'SubscriptionNotificationType'),
  subscription_id: [withDescription(UUID_FIELD, 'Id of the subscription.'), ({ aggregateId }) => aggregateId],
  status: [
    enumField('SubscriptionStatus', ['pending', 'active', 'past_due', 'completed', 'expired', 'revoked']),
    ({ data }) => data.status,
  ],
  external_reference_id: [
    textFieldLike(
      'member-1042',
      'Your `reference_id` of the subscription, or the id of the subscription if you set none. The payment ' +
        'requests of its charges have the same value.',
    ),
    ({ aggregateId, data }) => data.referenceId ?? aggregateId,
  ],
  point_of_sale_id: [
    withDescription(UUID_FIELD, 'Id of the point of sale of the subscription.'),
    ({ data }) => data.pointOfSaleId,
  ],
  account_id: [
    withDescription(UUID_FIELD, 'Id of the account that the subscription belongs to.'),
    ({ accountId }) => accountId,
  ],
  amount: [
    textFieldLike('5', 'Amount of each charge, in `currency`.'),
    ({ data }) => formatAmount(BigInt(data.amount), data.decimals),
  ],
  currency: [ASSET_SYMBOL_FIELD, ({ data }) => data.currency],
  network: [NETWORK_FIELD, ({ data }) => data.network],
  unique_asset_id: [ASSET_ID_FIELD, ({ data }) => data.uniqueAssetId],
  interval: [
    textFieldLike('P1M', 'Time between due dates, as an ISO 8601 duration: `P1D`, `P1W`, `P1M` or `P1Y`.'),
    ({ data }) => data.interval,
  ],
  wallet_external_id: [
    optionalField(
      textFieldLike(
        'wallet-7d1f',
        'Id that the wallet provider uses for the wallet that accepted the subscription. Absent until a wallet ' +
          'accepts it.',
      ),
    ),
    ({ data }) => data.walletExternalId,
  ],
  next_charge_at: [
    optionalField(
      withDescription(
        TIME_FIELD,
        'Next due date. Absent if none is known, or if there are no further charges.',
      ),
    ),
    ({ data }) => data.nextChargeAt,
  ],
  expires_at: [
    optionalField(
      withDescription(TIME_FIELD, 'Time when the offer ends. Present only if `status` is `pending`.'),
    ),
    ({ data }) => data.expiresAt,
  ],
  revoked_by: [optionalField(enumField('SubscriptionRevoker', REVOKERS)), ({ data }) => data.revokedBy],
};
