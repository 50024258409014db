import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { DepositAddresses } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type {
  CheckoutView,
  SelectedView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import { DeliveryRecords, type RefundRecord } from '#contexts/payments/contract/delivery-records.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';
import { CheckoutPresenter, missingOf } from '../../requests/http/checkout-presenter.js';
import type { PaymentOptionDto } from '../../requests/http/checkout.dto.js';
import type {
  CheckoutPageModel,
  PageOption,
  PageRefund,
  PageSelection,
} from '../pages/checkout-page-model.js';
import { orderMerchant } from '#contexts/payments/domain/requests/order.js';
import { isEnded } from '#contexts/payments/domain/requests/status.js';

/** Builds the model of a session's hosted page. */
@Injectable()
export class CheckoutPageModels {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly addresses: DepositAddresses,
    private readonly presenter: CheckoutPresenter,
    private readonly settings: CheckoutSettings,
    private readonly deliveries: DeliveryRecords,
  ) {}

  /**
   * @param etag of the answer to a poll that shows the same
   * @param now by the database's clock
   */
  async modelOf(view: CheckoutView, etag: string, now: Date): Promise<CheckoutPageModel> {
    const { payment_options: options, token } = this.presenter.forPayer(view);
    const { returnUrl } = view;
    return {
      sessionId: view.sessionId,
      status: view.status,
      merchant: orderMerchant(view.merchant),
      order: view.order,
      amount: view.amount,
      coinCode: view.coinCode,
      options: this.options(options),
      selected: view.selected && this.selection(view, view.selected),
      token,
      wallets: this.settings.wallets.map(({ name, base }) => ({ name, url: withToken(base, token) })),
      now,
      expiresAt: view.expiresAt,
      returnUrl: returnUrl === undefined ? undefined : returnUrlWithOutcome(returnUrl, view),
      etag,
      frameOrigins: view.frameOrigins,
      sandbox: this.hasSandboxWallet,
      refunds: (await this.refundsOf(view)).map(shownRefund),
      linkCode: view.linkCode,
    };
  }

  get hasSandboxWallet(): boolean {
    return this.settings.sandboxWalletUrl !== undefined;
  }

  options(options: readonly PaymentOptionDto[]): PageOption[] {
    return options.flatMap(({ unique_asset_id: uniqueAssetId, amount }) => {
      const known = this.known(uniqueAssetId);
      if (known === undefined) return [];
      return { uniqueAssetId, ...named(known), amount };
    });
  }

  /** Only refunds that are on their way or have arrived: one that awaits approval may never be paid. */
  private async refundsOf({ id, status }: CheckoutView): Promise<readonly RefundRecord[]> {
    if (!isEnded(status)) return [];
    const { refunds = [] } = (await this.deliveries.byRequest([id])).get(id) ?? {};
    return refunds.filter((refund) => refund.status === 'processing' || refund.status === 'completed');
  }

  /** Undefined for an asset that was withdrawn: then there is nothing left to pay it with. */
  private selection(view: CheckoutView, selected: SelectedView): PageSelection | undefined {
    const known = this.known(selected.uniqueAssetId);
    if (known === undefined) return undefined;
    const { decimals, rate } = selected;
    const { seen, required } = this.presenter.confirmations(view);
    const missing = missingOf(selected);
    const to = { address: canonicalAddress(selected.address) };
    const transferUri = this.addresses.transferUri(known.asset, to, missing);
    const newest = selected.transfers.at(-1);
    return {
      uniqueAssetId: selected.uniqueAssetId,
      ...named(known),
      amount: formatAmount(selected.amount, decimals),
      address: selected.address,
      receivedAmount: formatAmount(selected.receivedAmount, decimals),
      missingAmount: formatAmount(missing, decimals),
      missingUnits: missing,
      transferUri: transferUri ?? undefined,
      confirmations: seen,
      requiredConfirmations: required,
      confirmationSeconds: required * known.network.blockSeconds,
      transactionHash: newest?.transactionHash ?? undefined,
      rate: rate?.price,
      mayChange: view.status === 'created',
    };
  }

  private known(uniqueAssetId: string): { asset: Asset; network: Network } | undefined {
    const asset = this.catalogue.asset(uniqueAssetId);
    const network = asset && this.catalogue.network(asset.network);
    return asset && network && { asset, network };
  }
}

function shownRefund({ amount, decimals, currency, status, transactionHash }: RefundRecord): PageRefund {
  return {
    amount: formatAmount(amount, decimals),
    symbol: currency,
    arrived: status === 'completed',
    transactionHash,
  };
}

function named({ asset, network }: { asset: Asset; network: Network }) {
  return { symbol: asset.symbol, assetName: asset.name, networkName: network.name };
}

/** The wallet's link with the token as a query parameter (docs/api/payments.md, "Payment token"). */
function withToken(base: string, token: string): string {
  return `${base}${base.includes('?') ? '&' : '?'}naspip_token=${encodeURIComponent(token)}`;
}

/** A hint for the merchant's page, not a proof (docs/api/checkout.md, "Session"). */
function returnUrlWithOutcome(returnUrl: string, { id, status }: CheckoutView): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_request_id', id);
  url.searchParams.set('status', status);
  return url.href;
}
