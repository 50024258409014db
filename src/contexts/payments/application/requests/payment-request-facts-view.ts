import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { PaymentRequestFacts } from '../../domain/requests/payment-request-facts.js';
import type { Selection } from '../../domain/requests/selection.js';

/** What was asked for when it was created, whatever it is to be paid in. */
export interface PaymentRequestFactsView extends PaymentRequestFacts {
  readonly type: 'fixed';
  readonly status: PaymentRequestStatus;
  readonly expiresAt: Date;
}

/** What is to be paid, and where. Amounts in smallest units of the asset with `decimals`. */
export interface AskedView extends Pick<
  Selection,
  'network' | 'uniqueAssetId' | 'currency' | 'decimals' | 'amount'
> {
  /** EIP-55 spelling. */
  readonly address: string;
}
