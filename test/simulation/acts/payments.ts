import { bookkeepingActs } from './bookkeeping.js';
import { checkoutActs } from './checkouts.js';
import { followedPaymentActs } from './followed-payments.js';
import { latePayerActs } from './late-payers.js';
import { payerActs } from './payers.js';
import { paymentLinkActs } from './payment-links.js';
import { paymentRequestActs } from './payment-requests.js';
import { pointOfSaleActs } from './points-of-sale.js';
import { requestReadingActs } from './request-reads.js';
import { sessionActs } from './sessions.js';
import { signingPayerActs } from './signing-payers.js';
import { tillCodeActs } from './till-codes.js';
import { tillPhoneActs } from './till-phones.js';
import { tillActs } from './tills.js';
import type { Act } from './world.js';

/** All that merchants and payers do with points of sale, payment requests, checkouts, links and tills. */
export const paymentActs: readonly Act[] = [
  ...[...pointOfSaleActs, ...paymentRequestActs, ...requestReadingActs, ...checkoutActs, ...sessionActs],
  ...[...paymentLinkActs, ...tillCodeActs, ...tillPhoneActs, ...tillActs],
  ...[...payerActs, ...latePayerActs, ...followedPaymentActs, ...signingPayerActs, ...bookkeepingActs],
];
