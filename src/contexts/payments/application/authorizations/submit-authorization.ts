import { Injectable } from '@nestjs/common';
import { unavailable } from '#shared/kernel/domain-error.js';
import type { TransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';

/** An authorization as its payer posts it: it pays the session's selected address, in the selected asset. */
export interface SubmittedAuthorization {
  readonly authorization: Omit<TransferAuthorization, 'to'>;
  /** Hex with `0x`. */
  readonly signature: string;
}

export interface AuthorizationView {
  /** `seen`: the watcher of this service has stored the transfer to the selected address. */
  readonly status: 'queued' | 'sent' | 'seen';
  /** Absent until the transaction is in a block. */
  readonly transactionHash?: string;
}

/** Takes what a payer signed, and has it sent once. */
@Injectable()
export class SubmitAuthorization {
  /**
   * Safe to repeat, and for many at once: the same authorization again answers what became of it.
   * @throws not_found, validation_failed, state_conflict, not_sponsored, authorization_refused, unavailable
   */
  execute(_sessionId: string, _submitted: SubmittedAuthorization): Promise<AuthorizationView> {
    return Promise.reject(unavailable('Payments by signature are not taken yet.'));
  }
}
