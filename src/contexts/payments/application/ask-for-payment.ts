import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../shared/kernel/domain-error.js';
import { checkoutEnded } from '../domain/refusals.js';
import { isTerminal } from '../domain/status.js';
import { CheckoutQueries } from './checkout-queries.js';
import { CheckoutUrls } from './checkout-urls.js';
import type { CheckoutView, SelectedView } from './checkout-view.js';
import { SelectAsset } from './select-asset.js';
import { sessionNotFound } from './session-not-found.js';

/** What a wallet is told: a payment to make, or where to ask for it and with which options. */
export type PaymentAsked = { readonly session: CheckoutView } & (
  | { readonly selected: SelectedView; readonly missing: bigint }
  | { readonly url: string }
);

/** A wallet resolves the payment token of a checkout. */
@Injectable()
export class AskForPayment {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly selectAsset: SelectAsset,
    private readonly urls: CheckoutUrls,
  ) {}

  /**
   * @param option unique asset id that the payer chose in the wallet: selects it
   * @throws not_found, state_conflict where nothing is to be paid any more, and what selecting throws
   */
  async execute(sessionId: string, option: string | undefined): Promise<PaymentAsked> {
    const session =
      option === undefined
        ? await this.queries.find(sessionId)
        : await this.selectAsset.execute(sessionId, option);
    if (session === undefined) throw sessionNotFound();
    if (isTerminal(session.status)) throw checkoutEnded();
    const { selected } = session;
    if (selected === undefined) return { session, url: this.urls.forWallets(sessionId) };
    const missing = selected.amount - selected.receivedAmount;
    if (missing <= 0n) throw paidAlready();
    return { session, selected, missing };
  }
}

function paidAlready(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'This checkout is paid and waits for its confirmations. Do not pay again.',
  );
}
