import { DomainError } from '#shared/kernel/domain-error.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { Selection } from './selection.js';
import { isEnded } from './status.js';

/** A separate class, so that the hosted page can recognize the error and display the current state instead. */
export class CheckoutEndedError extends DomainError {
  constructor() {
    const wayOn = 'Ask the merchant for a new checkout, and do not pay to the address of this one.';
    super('conflict', 'state_conflict', `This checkout has ended. ${wayOn}`);
  }
}

export class PaymentSeenError extends DomainError {
  constructor() {
    const refused = 'A payment has already been detected, so the asset can no longer be changed.';
    super('conflict', 'state_conflict', `${refused} Pay the missing amount in the same asset.`);
  }
}

export class SignedPaymentPendingError extends DomainError {
  constructor() {
    const refused = 'A payment by signature is in progress, so the asset cannot be changed now.';
    super('conflict', 'state_conflict', `${refused} Wait for it; do not pay again.`);
  }
}

/** Each selection stores a permanent event. */
export const MAX_SELECTIONS_PER_REQUEST = 20;

export class AssetChangedTooOftenError extends DomainError {
  constructor({ uniqueAssetId, currency }: Pick<Selection, 'uniqueAssetId' | 'currency'>) {
    const refused = `The asset of this checkout was changed too often, so it remains ${currency} (${uniqueAssetId}).`;
    super(
      'conflict',
      'state_conflict',
      `${refused} Pay in this asset, or ask the merchant for a new checkout.`,
    );
  }
}

export class AssetShownAtTillError extends DomainError {
  constructor() {
    const refused = 'An asset is already selected for this sale.';
    super(
      'conflict',
      'state_conflict',
      `${refused} Pay in that asset, or ask the cashier to select another one.`,
    );
  }
}

export function requireAssetMayChange(
  status: PaymentRequestStatus,
  isWindowClosed: boolean,
  isPaymentSeen: boolean,
): void {
  if (isEnded(status) || isWindowClosed) throw new CheckoutEndedError();
  if (isPaymentSeen) throw new PaymentSeenError();
}
