import { accountActs } from './accounts.js';
import { closedShopActs } from './closed-shops.js';
import { credentialActs } from './credentials.js';
import { dashboardActs } from './dashboard.js';
import { ledgerActs } from './ledger.js';
import { operatorActs } from './operators.js';
import { paymentActs } from './payments.js';
import { redeliveryActs } from './redelivery.js';
import { refundClaimActs } from './refund-claims.js';
import { refundFloatActs } from './refund-floats.js';
import { refundActs } from './refunds.js';
import { subscriptionChargeActs } from './subscription-charges.js';
import { subscriptionActs } from './subscriptions.js';
import { toleranceActs } from './tolerances.js';
import { webhookActs } from './webhooks.js';
import type { Act } from './world.js';

/** Everything that merchants, payers, operators and their programs do in a run. Each stands here once. */
export const acts: readonly Act[] = [
  ...paymentActs,
  ...[...webhookActs, ...redeliveryActs, ...refundActs, ...refundClaimActs, ...refundFloatActs],
  ...[
    ...subscriptionActs,
    ...subscriptionChargeActs,
    ...accountActs,
    ...closedShopActs,
    ...toleranceActs,
    ...credentialActs,
  ],
  ...[...dashboardActs, ...operatorActs, ...ledgerActs],
];
