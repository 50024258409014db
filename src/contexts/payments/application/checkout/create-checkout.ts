import { Injectable } from '@nestjs/common';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentLinkId } from '#shared/kernel/ids.js';
import { requirePrice } from '#shared/kernel/read-price.js';
import { parseHttpsUrl } from '#shared/kernel/text.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { AddressNumber } from '../../domain/requests/address-numbers.js';
import type { Checkout, PaymentRequestFacts } from '../../domain/requests/payment-request-facts.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import { AssignAddress, type CollectionDestination, type PricedAsset } from '../requests/assign-address.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import { toPaymentDueView, toFactsView } from '../requests/create-payment-request.js';
import { buildRequestFacts } from '../requests/new-request-facts.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { PaymentsSettings } from '../requests/payments-settings.js';
import { PaymentTokenIssuer } from '../requests/payment-token-issuer.js';
import { PricePaymentOptions, type PricedOption } from '../requests/price-payment-options.js';
import { GapLimitedPaymentOptions } from '../requests/gap-limited-payment-options.js';
import {
  StoreNewRequest,
  type CreationPlan,
  type StoreNewRequestInput,
} from '../requests/store-new-request.js';
import { buildCheckout } from './checkout-session.js';
import { requireOpenAmountAllowed } from './open-amount-rule.js';

export interface CreateCheckoutInput extends StoreNewRequestInput<CheckoutView> {
  readonly amount: string;
  readonly coinCode: string;
  readonly returnUrl?: string;
  readonly paymentLink?: { readonly id: PaymentLinkId; readonly code: string };
  /** Identifies a caller without a credential, to limit its open sessions. */
  readonly openedBy?: string;
}

@Injectable()
export class CreateCheckout {
  constructor(
    private readonly storeNewRequest: StoreNewRequest,
    private readonly catalogue: NetworkCatalogue,
    private readonly assignAddress: AssignAddress,
    private readonly pricePaymentOptions: PricePaymentOptions,
    private readonly publicOptions: GapLimitedPaymentOptions,
    private readonly tokens: PaymentTokenIssuer,
    private readonly urls: CheckoutUrls,
    private readonly settings: PaymentsSettings,
    private readonly cell: DeploymentCell,
  ) {}

  async create(input: CreateCheckoutInput): Promise<CheckoutView> {
    const amount = requirePrice(input.amount, input.coinCode, this.catalogue.assets());
    assertReturnUrl(input.returnUrl);
    return this.storeNewRequest.store(input, (point) => this.planCheckout({ ...input, amount }, point));
  }

  private async planCheckout(
    input: CreateCheckoutInput,
    point: PaymentPointOfSale,
  ): Promise<CreationPlan<CheckoutView>> {
    if (input.paymentLink !== undefined) refuseLinksOnPhysicalPos(point);
    if (input.amountByPayer === true)
      requireOpenAmountAllowed(point, input.coinCode, this.catalogue.assets());
    const [first, ...others] = await this.priceOfferedOptions(input, point);
    const paymentOptions = [first, ...others].map(({ asset }) => asset.uniqueAssetId);
    const checkout = buildCheckout(input, point, paymentOptions, this.cell);
    const facts = buildRequestFacts(point, input, input, this.catalogue.assets());
    const destination = others.length > 0 ? null : this.assignAddress.requireDestination(point, first.asset);
    const build = (number?: AddressNumber) => {
      const request = this.buildRequest(facts, destination, first, number);
      const { expiresAt } = request.snapshot();
      const url = this.urls.forWallets(checkout.sessionId);
      const toSign = { ...checkout, url, createdAt: input.at, expiresAt };
      const token = this.tokens.issueForCheckout(toSign, checkout.merchant);
      const answer = toCheckoutView(request, token, checkout, input.paymentLink?.code);
      return { request, token, checkout, answer };
    };
    return { addresses: destination?.addresses ?? null, build };
  }

  private async priceOfferedOptions(
    { openedBy, amount, coinCode, at }: CreateCheckoutInput,
    point: PaymentPointOfSale,
  ): Promise<[PricedOption, ...PricedOption[]]> {
    const collectable = this.assignAddress.requireCollectableAssets(point);
    const offered =
      openedBy === undefined
        ? collectable
        : await this.publicOptions.filterAssets(point, collectable, openedBy);
    return this.pricePaymentOptions.priceAssets(offered, amount, coinCode, at);
  }

  private buildRequest(
    facts: PaymentRequestFacts,
    destination: CollectionDestination | null,
    option: PricedOption,
    number?: AddressNumber,
  ): PaymentRequest {
    const windowSeconds = this.settings.paymentWindowSeconds;
    if (destination === null) return PaymentRequest.openWithoutAsset(facts, windowSeconds);
    // `PricePaymentOptions.priceAssets` throws if no option has an amount, so a single option always has one.
    const priced = option as PricedAsset;
    const selection = this.assignAddress.buildSelection(
      destination,
      priced,
      facts.id,
      facts.createdAt,
      number,
    );
    return PaymentRequest.open(facts, selection, windowSeconds);
  }
}

function toCheckoutView(
  request: PaymentRequest,
  token: string,
  checkout: Checkout,
  linkCode: string | undefined,
): CheckoutView {
  const { selected } = request;
  const nothingSeen = { receivedAmount: 0n, headNumber: 0, transfers: [] };
  return {
    ...toFactsView(request),
    ...checkout,
    token,
    linkCode,
    ...(selected && { selected: { ...toPaymentDueView(selected), rate: selected.rate, ...nothingSeen } }),
  };
}

export function assertReturnUrl(url: string | undefined): void {
  if (url === undefined || parseHttpsUrl(url) !== undefined) return;
  throw invalidField('return_url', 'https_url', 'must be an https:// URL without a user name or password.');
}

/** A second payer who opens the link would end the only open request of the point of sale. @throws state_conflict */
export function refuseLinksOnPhysicalPos({ type }: Pick<PaymentPointOfSale, 'type'>): void {
  if (type === 'online') return;
  throw stateConflict(
    'A payment link can be opened by many payers, but a physical point of sale can have only one payment at a ' +
      'time. Use an online point of sale.',
  );
}
