import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { CheckoutQueries, sessionNotFound } from './checkout-session.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import { type CheckoutView, type SelectedView, requirePayable } from '../requests/payment-request-view.js';
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
  async resolve(sessionId: string, option: string | undefined): Promise<PaymentInstruction> {
    const session =
      option === undefined
        ? await this.queries.find(sessionId)
        : await this.selectAsset.select(sessionId, option, 'payment_option');
    if (session === undefined) throw sessionNotFound();
    requirePayable(session, await this.clock.now());
    const { selected } = session;
    if (selected === undefined) return { session, url: this.urls.forWallets(sessionId) };
    return { session, selected, missing: selected.amount - selected.receivedAmount };
  }
}
