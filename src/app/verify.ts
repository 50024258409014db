import { identityInvariants } from '../contexts/identity/infrastructure/persistence/identity-invariants.js';
import { ledgerInvariants } from '../contexts/ledger/infrastructure/persistence/ledger-invariants.js';
import { networksInvariants } from '../contexts/networks/infrastructure/persistence/networks-invariants.js';
import { paymentLinkInvariants } from '../contexts/payments/infrastructure/links/persistence/payment-link-invariants.js';
import { checkoutInvariants } from '../contexts/payments/infrastructure/checkout/persistence/checkout-invariants.js';
import { paymentsInvariants } from '../contexts/payments/infrastructure/requests/persistence/payments-invariants.js';
import { pointOfSaleInvariants } from '../contexts/point-of-sale/infrastructure/persistence/point-of-sale-invariants.js';
import { webhooksInvariants } from '../contexts/webhooks/infrastructure/persistence/webhooks-invariants.js';
import type { Invariant } from '../shared/kernel/invariant.js';
import { platformInvariants } from '../shared/platform/platform-invariants.js';

/** Everything that must always be true, in the order of the contexts. */
const INVARIANTS: readonly Invariant[] = [
  ...platformInvariants,
  ...networksInvariants,
  ...identityInvariants,
  ...pointOfSaleInvariants,
  ...paymentsInvariants,
  ...checkoutInvariants,
  ...paymentLinkInvariants,
  ...ledgerInvariants,
  ...webhooksInvariants,
];

export interface Verdict {
  readonly name: string;
  readonly promise: string;
  /** The first rows that break it; empty when it holds. */
  readonly breaches: readonly object[];
}

const SHOWN = 20;

/**
 * Checks every invariant on the data as it is now, each by one query.
 * @param query runs one SQL text
 */
export async function verify(query: (text: string) => Promise<object[]>): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { name, promise, breaches } of INVARIANTS) {
    verdicts.push({
      name,
      promise,
      breaches: await query(`SELECT * FROM (${breaches}) breach LIMIT ${SHOWN}`),
    });
  }
  return verdicts;
}
