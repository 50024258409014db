import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { CheckoutQueries } from './checkout-session.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import {
  type CheckoutView,
  type SelectedAssetView,
  requirePayable,
} from '../requests/payment-request-view.js';
import { SelectAsset } from './select-asset.js';

/** Without an asset, the URL from which the wallet reads the payment after the payer selects an option. */
export type PaymentInstruction = { readonly session: CheckoutView } & (
  { readonly selected: SelectedAssetView; readonly missing: bigint } | { readonly url: string }
);

@Injectable()
export class ResolvePaymentInstruction {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly selectAsset: SelectAsset,
    private readonly urls: CheckoutUrls,
    private readonly clock: Clock,
  ) {}

  async resolve(sessionId: string, option: string | undefined): Promise<PaymentInstruction> {
    const session =
      option === undefined
        ? await this.queries.get(sessionId)
        : await this.selectAsset.select(sessionId, option, 'payment_option');
    requirePayable(session, await this.clock.now());
    const { selected } = session;
    if (selected === undefined) return { session, url: this.urls.forWallets(sessionId) };
    return { session, selected, missing: selected.amount - selected.receivedAmount };
  }
}
