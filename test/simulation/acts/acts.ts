import { accountKeyActs } from './account-keys.js';
import { accountActs } from './accounts.js';
import { closedShopActs } from './closed-shops.js';
import { credentialActs } from './credentials.js';
import { dashboardActs } from './dashboard.js';
import { doubledActs } from './doubled.js';
import { illReceiverActs } from './ill-receivers.js';
import { keyLifeActs } from './key-lives.js';
import { ledgerActs } from './ledger.js';
import { operatorActs } from './operators.js';
import { paybackActs } from './paybacks.js';
import { paymentActs } from './payments.js';
import { redeliveryActs } from './redelivery.js';
import { refundClaimActs } from './refund-claims.js';
import { refundFloatActs } from './refund-floats.js';
import { refundActs } from './refunds.js';
import { sendingActs } from './sendings.js';
import { settledSaleActs } from './settled-sales.js';
import { subscriberActs } from './subscribers.js';
import { subscriptionChargeActs } from './subscription-charges.js';
import { subscriptionActs } from './subscriptions.js';
import { termsActs } from './terms.js';
import { toleranceActs } from './tolerances.js';
import { webhookActs } from './webhooks.js';
import type { Act } from './world.js';

/** Everything that merchants, payers, operators and their programs do in a run. Each stands here once. */
export const acts: readonly Act[] = [
  accountKeyActs,
  accountActs,
  closedShopActs,
  credentialActs,
  dashboardActs,
  doubledActs,
  illReceiverActs,
  keyLifeActs,
  ledgerActs,
  operatorActs,
  paybackActs,
  paymentActs,
  redeliveryActs,
  refundClaimActs,
  refundFloatActs,
  refundActs,
  sendingActs,
  settledSaleActs,
  subscriberActs,
  subscriptionChargeActs,
  subscriptionActs,
  termsActs,
  toleranceActs,
  webhookActs,
].flat();
