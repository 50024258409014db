import { Injectable } from '@nestjs/common';
import type { KeyObject } from 'node:crypto';
import { unavailable } from '#shared/kernel/domain-error.js';
import type { ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { rfc8785Json, signDetachedJws } from '#shared/naspip/detached-jws.js';
import { secretKeyFromPaserk } from '#shared/naspip/paserk.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';

/** No other signature with the same keys has this type. */
const RECEIPT_TYPE = 'payment-receipt+jws';

export interface SignedReceipt {
  readonly receipt: Receipt;
  /** Detached JWS of the canonical JSON of `receipt` (docs/reference/receipts.md, "Signature"). */
  readonly signature: string;
}

@Injectable()
export class ReceiptSignatures {
  private readonly issuer: string;
  private readonly ring: SigningKeyRing<ScheduledSigningKey & { readonly secretKey: KeyObject }>;

  constructor({ naspip: { issuer, keys } }: PaymentsSettings) {
    this.issuer = issuer;
    this.ring = keys.deriveRing(({ secretKey }) => ({ secretKey: secretKeyFromPaserk(secretKey) }));
  }

  /** @throws unavailable if no key is valid at the receipt's `stated_at` */
  sign(receipt: Receipt): SignedReceipt {
    const at = new Date(receipt.stated_at);
    const key = this.ring.signingKeyAt(at, at);
    if (key === undefined) throw unavailable('Receipts cannot be signed now. Try again later.');
    const by = { issuer: this.issuer, keyId: key.id, secretKey: key.secretKey };
    return { receipt, signature: signDetachedJws(rfc8785Json(receipt), RECEIPT_TYPE, at, by) };
  }
}
