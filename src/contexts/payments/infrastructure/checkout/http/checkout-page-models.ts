import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import { pageBranding } from '#shared/web/branding/page-branding.js';
import type { PageBranding } from '#shared/web/document/inline-asset.js';
import { AccountBranding } from '#contexts/identity/contract/account-branding.js';
import type { AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import { canonicalAddress } from '#contexts/networks/contract/address-spelling.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type {
  CheckoutView,
  SelectedAssetView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import {
  SettlementAndRefundRecords,
  type RefundRecord,
} from '#contexts/payments/contract/settlement-and-refund-records.js';
import { Database } from '#shared/platform/database/database.js';
import { readReceiptState } from '../../requests/persistence/receipts.sql.js';
import { CheckoutSettings } from '../../requests/checkout-settings.js';
import { CheckoutPresenter, missingAmount } from '../../requests/http/checkout-presenter.js';
import type { PaymentOptionDto } from '../../requests/http/payment-option.dto.js';
import type {
  CheckoutPageModel,
  InitialPaymentMethod,
  PagePaymentOption,
  PageRefund,
  PageSelectedAsset,
  BrowserWalletParameters,
} from '../pages/checkout-page-model.js';
import { NetworkFeeHints } from './network-fee-hints.js';
import { toOrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { isEnded, isOneOf, OUTCOME_STATUSES } from '#contexts/payments/domain/requests/status.js';

interface PageParameters {
  readonly pay?: InitialPaymentMethod | undefined;
  readonly mail?: 'invalid' | undefined;
  /** SHA-256 of the secret in the payer's cookie. */
  readonly browser?: Buffer | undefined;
  readonly lastNetwork?: string | undefined;
}

@Injectable()
export class CheckoutPageModels {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
    private readonly presenter: CheckoutPresenter,
    private readonly settings: CheckoutSettings,
    private readonly deliveries: SettlementAndRefundRecords,
    private readonly fees: NetworkFeeHints,
    private readonly database: Database,
    private readonly brandings: AccountBranding,
  ) {}

  async modelOf(
    view: CheckoutView,
    etag: string,
    now: Date,
    { pay, mail, browser, lastNetwork }: PageParameters = {},
  ): Promise<CheckoutPageModel> {
    const { payment_options: options, token } = this.presenter.forPayer(view);
    const { sessionId, status, fulfilled, order, amount, coinCode, expiresAt, frameOrigins, linkCode } = view;
    const { returnUrl } = view;
    return {
      ...{ sessionId, status, fulfilled, order, amount, coinCode, expiresAt, frameOrigins, linkCode },
      reference: view.id,
      way: pay === 'address' || pay === 'code' ? pay : view.checkoutFirst,
      merchant: toOrderMerchant(view.merchant),
      branding: await this.branding(view),
      options: this.options(options, coinCode, lastNetwork),
      selected: view.selected && this.toPageSelection(view, view.selected),
      uncounted: [...(view.otherAssets ?? []), ...(view.lateTransfers ?? [])].map((sum) => ({
        amount: formatAmount(sum.amount, sum.decimals),
        symbol: sum.currency,
        networkName: this.catalogue.network(sum.network)?.name ?? sum.network,
      })),
      token,
      wallets: this.settings.wallets.map(({ name, base }) => ({ name, url: withToken(base, token) })),
      now,
      returnUrl: returnUrl === undefined ? undefined : returnUrlWithOutcome(returnUrl, view),
      etag,
      sandbox: this.hasSandboxWallet,
      refunds: (await this.listRefunds(view)).map(toPageRefund),
      ...(await this.receiptOf(view, mail, browser)),
    };
  }

  private async receiptOf(
    { id, status }: CheckoutView,
    refused: 'invalid' | undefined,
    browser: Buffer | undefined,
  ): Promise<Partial<CheckoutPageModel>> {
    if (status !== 'processing' && !isOneOf(OUTCOME_STATUSES, status)) return {};
    const { code, mail } = await readReceiptState(this.database, id, browser);
    return { receiptCode: code, receiptMail: mail === 'over' ? mail : (refused ?? mail) };
  }

  async branding(owner: AccountScope): Promise<PageBranding | undefined> {
    return pageBranding(await this.brandings.brandingOf(owner));
  }

  get hasSandboxWallet(): boolean {
    return this.settings.sandboxWalletUrl !== undefined;
  }

  options(options: readonly PaymentOptionDto[], coinCode: string, lastNetwork?: string): PagePaymentOption[] {
    return options.flatMap(({ unique_asset_id: uniqueAssetId, amount }) => {
      const findAssetAndNetwork = this.known(uniqueAssetId);
      if (findAssetAndNetwork === undefined) return [];
      return {
        uniqueAssetId,
        ...assetAndNetworkNames(findAssetAndNetwork),
        amount,
        networkFee: this.fees.hint(findAssetAndNetwork.asset, coinCode),
        isLastNetwork: findAssetAndNetwork.asset.network === lastNetwork,
      };
    });
  }

  /** A refund that awaits approval may never be paid. */
  private async listRefunds({ id, status }: CheckoutView): Promise<readonly RefundRecord[]> {
    if (!isEnded(status)) return [];
    const { refunds = [] } = (await this.deliveries.findByRequests([id])).get(id) ?? {};
    return refunds.filter((refund) => refund.status === 'processing' || refund.status === 'completed');
  }

  /** An asset that the operator has withdrawn can no longer be paid. */
  private toPageSelection(view: CheckoutView, selected: SelectedAssetView): PageSelectedAsset | undefined {
    const known = this.known(selected.uniqueAssetId);
    if (known === undefined) return undefined;
    const { decimals, rate } = selected;
    const { seen, required } = this.presenter.confirmations(view);
    const missing = missingAmount(selected);
    const to = { address: canonicalAddress(selected.address) };
    const newest = selected.transfers.at(-1);
    const transfer = this.chains
      .of(known.asset.network)
      .depositAddresses.transferUri(known.asset, to, missing);
    return {
      uniqueAssetId: selected.uniqueAssetId,
      ...assetAndNetworkNames(known),
      networkFee: this.fees.hint(known.asset, view.coinCode),
      amount: formatAmount(selected.amount, decimals),
      address: selected.address,
      receivedAmount: formatAmount(selected.receivedAmount, decimals),
      missingAmount: formatAmount(missing, decimals),
      missingUnits: missing,
      wallets: pageWallets(known, decimals),
      transferUri: transfer?.uri,
      code: transfer?.code ?? selected.address,
      confirmations: seen,
      requiredConfirmations: required,
      confirmationSeconds: required * known.network.blockSeconds,
      transactionHash: newest?.transactionHash ?? undefined,
      transactionUrl: explorerTransactionUrl(known.network, newest?.transactionHash),
      paidAt: newest?.arrivedAt,
      isPending: newest?.blockNumber === Infinity,
      pendingGraceSeconds: known.network.pendingGraceSeconds,
      rate: rate?.price,
      mayChange: view.status === 'created' && view.isAlias !== true,
    };
  }

  private known(uniqueAssetId: string): { asset: Asset; network: Network } | undefined {
    const asset = this.catalogue.asset(uniqueAssetId);
    const network = asset && this.catalogue.network(asset.network);
    return asset && network && { asset, network };
  }
}

function pageWallets(
  { asset, network }: { asset: Asset; network: Network },
  decimals: number,
): BrowserWalletParameters | undefined {
  if (network.browserWallets === undefined) return undefined;
  const token = isNative(asset) ? '' : asset.token;
  return { ...network.browserWallets, token, decimals, explorerUrl: network.explorerUrl };
}

function toPageRefund({ amount, decimals, currency, status, transactionHash }: RefundRecord): PageRefund {
  return {
    amount: formatAmount(amount, decimals),
    symbol: currency,
    arrived: status === 'completed',
    transactionHash,
  };
}

function assetAndNetworkNames({ asset, network }: { asset: Asset; network: Network }) {
  return { symbol: asset.symbol, assetName: asset.name, networkName: network.name };
}

function withToken(base: string, token: string): string {
  return `${base}${base.includes('?') ? '&' : '?'}naspip_token=${encodeURIComponent(token)}`;
}

/** The outcome is a hint and not proof of payment (docs/reference/checkout.md, "Session"). */
function returnUrlWithOutcome(returnUrl: string, { id, status }: CheckoutView): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_request_id', id);
  url.searchParams.set('status', status);
  return url.href;
}

/** Path format: EIP-3091. */
export function explorerTransactionUrl(
  network: Network | undefined,
  hash: string | null | undefined,
): string | undefined {
  return network?.explorerUrl === undefined || !hash ? undefined : `${network.explorerUrl}/tx/${hash}`;
}
