import type { Branding } from '#contexts/identity/contract/account-branding.js';
import type { Receipt } from './receipt.js';

/** A receipt as it stands now, and how its merchant looks. */
export interface ReadReceipt {
  readonly receipt: Receipt;
  readonly branding: Branding;
}

export abstract class Receipts {
  /** @param code any text: a malformed one takes as long as an unknown one @throws not_found */
  abstract find(code: string): Promise<ReadReceipt>;
}
