import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { toUnixSeconds } from '#shared/kernel/instant.js';
import type { Asset } from '#shared/kernel/asset.js';
import { answerFromView } from '#shared/platform/http/answers/answer.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { requiredConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import type {
  CheckoutView,
  SelectedAssetView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import {
  PaymentTokenIssuer,
  selectNaspipTokenToDisplay,
} from '#contexts/payments/application/requests/payment-token-issuer.js';
import {
  SignaturePayments,
  type SignaturePayment,
} from '#contexts/payments/application/requests/signature-payments.js';
import { PricePaymentOptions } from '#contexts/payments/application/requests/price-payment-options.js';
import { CheckoutDto, PublicCheckoutDto } from './checkout.dto.js';
import {
  LockedRateDto,
  OtherAssetDto,
  PaymentOptionDto,
  SelectedAssetDto,
  type SignaturePaymentDto,
  TokenDomainDto,
} from './payment-option.dto.js';
import { presentOrder } from './order.dto.js';
import { toOrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { isOneOf, PAYMENT_UNSEEN_STATUSES } from '#contexts/payments/domain/requests/status.js';

export type HeadBlockNumbers = ReadonlyMap<string, number>;

/** Makes no network calls: exchange rates come from memory. */
@Injectable()
export class CheckoutPresenter {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly pricePaymentOptions: PricePaymentOptions,
    private readonly urls: CheckoutUrls,
    private readonly tokens: PaymentTokenIssuer,
    readonly signatures: SignaturePayments,
  ) {}

  forMerchant(view: CheckoutView, heads?: HeadBlockNumbers): CheckoutDto {
    return answerFromView(CheckoutDto, view, this.presentComputedFields(view, heads));
  }

  forPayer(view: CheckoutView, heads?: HeadBlockNumbers): PublicCheckoutDto {
    return answerFromView(PublicCheckoutDto, view, this.presentComputedFields(view, heads));
  }

  private presentComputedFields(view: CheckoutView, heads?: HeadBlockNumbers) {
    return {
      token: selectNaspipTokenToDisplay(view, this.tokens, this.urls),
      checkout_url: this.urls.forWallets(view.sessionId),
      x402_url:
        view.isAlias !== true && this.signatures.isOffered(view)
          ? this.urls.forX402(view.sessionId)
          : undefined,
      hosted_checkout_url: this.urls.page(view.sessionId),
      payment_options: this.presentOptions(view),
      expiration: toUnixSeconds(view.expiresAt),
      order: view.order && presentOrder(view.order),
      merchant: toOrderMerchant(view.merchant),
      selected: view.selected && this.presentSelected(view, view.selected, heads),
      other_assets: view.otherAssets?.map((other) =>
        answerFromView(OtherAssetDto, other, {
          symbol: other.currency,
          amount: formatAmount(other.amount, other.decimals),
        }),
      ),
    };
  }

  /** Older transfers have more confirmations. */
  confirmations(
    { status, selected, coinCode }: CheckoutView,
    heads?: HeadBlockNumbers,
  ): { seen: number; required: number } {
    const network = selected && this.catalogue.network(selected.network);
    const asset = (selected && this.catalogue.asset(selected.uniqueAssetId)) ?? {};
    const newest = selected?.transfers.at(-1);
    const rate = selected?.rate && { currency: coinCode, price: selected.rate.price };
    const byAmount =
      network === undefined ? 0 : requiredConfirmations(network, asset, selected?.amount ?? null, rate);
    const required = Math.max(byAmount, newest?.requiredConfirmations ?? 0);
    if (selected === undefined || newest === undefined) return { seen: 0, required };
    if (status !== 'processing') return { seen: required, required };
    const head = heads?.get(selected.network) ?? selected.headNumber;
    return { seen: Math.min(Math.max(head - newest.blockNumber + 1, 0), required), required };
  }

  private presentOptions(view: CheckoutView): PaymentOptionDto[] {
    const { selected } = view;
    const isOpen = isOneOf(PAYMENT_UNSEEN_STATUSES, view.status);
    return view.paymentOptions.flatMap((uniqueAssetId) => {
      const asset = this.catalogue.asset(uniqueAssetId);
      if (asset === undefined) return [];
      const amount =
        selected?.uniqueAssetId === uniqueAssetId
          ? selected.amount
          : isOpen &&
            this.pricePaymentOptions.priceWithKnownRate(asset, view.amount, view.coinCode, view.createdAt)
              ?.amount;
      return presentOption(asset, typeof amount === 'bigint' ? amount : undefined);
    });
  }

  private presentSelected(
    view: CheckoutView,
    selected: SelectedAssetView,
    heads?: HeadBlockNumbers,
  ): SelectedAssetDto {
    const { amount, receivedAmount, decimals, rate } = selected;
    const { seen, required } = this.confirmations(view, heads);
    const newest = selected.transfers.at(-1);
    return answerFromView(SelectedAssetDto, selected, {
      symbol: selected.currency,
      amount: formatAmount(amount, decimals),
      received_amount: formatAmount(receivedAmount, decimals),
      missing_amount: formatAmount(missingAmount(selected), decimals),
      confirmations: seen,
      required_confirmations: required,
      transaction_hash: newest?.transactionHash ?? undefined,
      rate: rate && answerFromView(LockedRateDto, rate),
      signature_payment: presentSignature(this.signatures.findSignaturePayment(view)),
    });
  }
}

export function missingAmount({ amount, receivedAmount }: SelectedAssetView): bigint {
  return receivedAmount < amount ? amount - receivedAmount : 0n;
}

function presentSignature(payment: SignaturePayment | undefined): SignaturePaymentDto | undefined {
  if (payment === undefined) return undefined;
  const { token, domain, to, value } = payment;
  return {
    token: toDisplayAddress(token),
    domain: answerFromView(TokenDomainDto, domain),
    to: toDisplayAddress(to),
    value: value.toString(),
  };
}

/** @param amount smallest units; undefined if there is no price */
export function presentOption(asset: Asset, amount: bigint | undefined): PaymentOptionDto {
  return answerFromView(PaymentOptionDto, asset, {
    amount: amount === undefined ? undefined : formatAmount(amount, asset.decimals),
  });
}
