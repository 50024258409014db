import type { PaymentRequestId } from '#shared/kernel/ids.js';

/** The amounts that payment requests still have, without what was reversed. */
export abstract class ReceivedSums {
  /** Reads what is committed by now. @returns smallest units of the asset */
  abstract find(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
}
