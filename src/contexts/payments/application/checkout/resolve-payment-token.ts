import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { CheckoutEnded } from '../../domain/requests/asset-change-rule.js';
import { isEnded } from '../../domain/requests/status.js';
import { CheckoutQueries, sessionNotFound } from './checkout-session.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import type { CheckoutView, SelectedView } from '../requests/payment-request-view.js';
import { SelectAsset } from './select-asset.js';

/** A payment to make, or the URL at which a wallet asks for it once an option is chosen. */
export type PaymentInstruction = { readonly session: CheckoutView } & (
  { readonly selected: SelectedView; readonly missing: bigint } | { readonly url: string }
);

/** A wallet resolves the payment token of a checkout. */
@Injectable()
export class ResolvePaymentToken {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly selectAsset: SelectAsset,
    private readonly urls: CheckoutUrls,
    private readonly clock: Clock,
  ) {}

  /**
   * @param option unique asset id that the payer chose in the wallet: selects it
   * @throws not_found, state_conflict where nothing is to be paid any more, and what selecting throws
   */
  async execute(sessionId: string, option: string | undefined): Promise<PaymentInstruction> {
    const session =
      option === undefined
        ? await this.queries.find(sessionId)
        : await this.selectAsset.execute(sessionId, option, 'payment_option');
    if (session === undefined) throw sessionNotFound();
    if (isEnded(session.status)) throw new CheckoutEnded();
    const { selected } = session;
    const missing = selected && selected.amount - selected.receivedAmount;
    if (missing !== undefined && missing <= 0n)
      throw stateConflict('This checkout is paid and waits for its confirmations. Do not pay again.');
    // Not decided yet, but a transfer that sets out now may come too late.
    if ((await this.clock.now()) >= session.expiresAt) throw new CheckoutEnded();
    if (selected === undefined || missing === undefined)
      return { session, url: this.urls.forWallets(sessionId) };
    return { session, selected, missing };
  }
}
