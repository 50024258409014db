import { bookkeepingActs, ledgerActs } from './ledger.js';
import { checkoutActs, sessionActs } from './checkouts.js';
import { followedPaymentActs, latePayerActs, payerActs, toleranceActs } from './payers.js';
import { paymentLinkActs } from './payment-links.js';
import { paymentRequestActs, requestReadingActs, doubledActs } from './payment-requests.js';
import { pointOfSaleActs } from './points-of-sale.js';
import { signingPayerActs } from './signing-payers.js';
import { tillCodeActs, tillPhoneActs, tillActs } from './tills.js';
import type { Act } from './world.js';
import { accountKeyActs, credentialActs, keyLifeActs } from './credentials.js';
import { accountActs, closedShopActs } from './accounts.js';
import { dashboardActs } from './dashboard.js';
import { illReceiverActs, redeliveryActs, webhookActs, registerWebhook } from './webhooks.js';
import { operatorActs, sendingActs } from './operators.js';
import { paybackActs } from './paybacks.js';
import { refundClaimActs, refundActs } from './refunds.js';
import { refundFloatActs, fillFloat } from './refund-floats.js';
import { settledSaleActs, termsActs } from './terms.js';
import { subscriberActs, subscriptionChargeActs, subscriptionActs } from './subscriptions.js';

export const paymentActs: readonly Act[] = [
  ...[...pointOfSaleActs, ...paymentRequestActs, ...requestReadingActs, ...checkoutActs, ...sessionActs],
  ...[...paymentLinkActs, ...tillCodeActs, ...tillPhoneActs, ...tillActs],
  ...[...payerActs, ...latePayerActs, ...followedPaymentActs, ...signingPayerActs, ...bookkeepingActs],
];

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

export const openings: readonly Omit<Act, 'weight'>[] = [
  {
    name: 'begin with webhooks',
    async attempt(world, merchant, random) {
      for (const account of merchant.accounts)
        for (const event_type of ['payment_request', 'refund'].filter(() => random.chance(0.8)))
          await registerWebhook(world, merchant, random, account, {
            url: world.receivers.open(),
            event_type,
          });
      return true;
    },
  },
  {
    name: 'begin with a refund float',
    async attempt(world, merchant, random) {
      if (random.chance(0.3)) return false;
      await fillFloat(world, merchant, random);
      return true;
    },
  },
];
