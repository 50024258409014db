import { Injectable } from '@nestjs/common';
import { Cell } from '#shared/kernel/cell.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { readHttpsUrl } from '#shared/kernel/text.js';
import type { PaymentLinkId } from '#shared/kernel/ids.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { TakenNumber } from '../../domain/requests/address-numbers.js';
import type { Checkout } from '../../domain/requests/payment-request-facts.js';
import { PaymentRequest } from '../../domain/requests/payment-request.js';
import { AssignAddress, type Asked } from '../requests/assign-address.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import {
  newFacts,
  OpenPaymentRequest,
  type Alongside,
  drawn,
  type Drawn,
  type KeyedInput,
  type NewRequestInput,
} from '../requests/open-payment-request.js';
import { PaymentsSettings } from '../requests/payments-settings.js';
import { PaymentTokens } from '../requests/payment-tokens.js';
import { PriceOptions, type PricedOption } from '../requests/price-options.js';
import { PublicOptions } from '../requests/public-options.js';
import { readPrice } from '#shared/kernel/read-price.js';
import { newCheckout } from './checkout-session.js';
import { refuseLinksOnPhysicalPos } from './online-pos-rule.js';
import { demandOpenAmount } from './open-amount-rule.js';

export interface CreateCheckoutInput extends NewRequestInput, KeyedInput<CheckoutView> {
  /** Decimal string in whole units of `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** HTTPS; the point of sale's own where it is absent. */
  readonly returnUrl?: string;
  readonly paymentLink?: { readonly id: PaymentLinkId; readonly code: string };
  /** The caller who opens it without a credential, as sessions are counted under it; absent where the merchant does. */
  readonly openedBy?: string;
  /** Stores what belongs to the checkout with it, or throws, and then nothing is stored. */
  readonly alongside?: Alongside;
}

/**
 * Opens a request that is paid by a hosted page, or by a wallet that asks for the payment. Where the payer has no
 * choice, asset, address and rate are settled at once.
 */
@Injectable()
export class CreateCheckout {
  constructor(
    private readonly openRequest: OpenPaymentRequest,
    private readonly catalogue: NetworkCatalogue,
    private readonly assignAddress: AssignAddress,
    private readonly priceOptions: PriceOptions,
    private readonly publicOptions: PublicOptions,
    private readonly tokens: PaymentTokens,
    private readonly urls: CheckoutUrls,
    private readonly settings: PaymentsSettings,
    private readonly cell: Cell,
  ) {}

  /** @throws not_found, validation_failed, settlement_address_missing, state_conflict, rate_unavailable, unavailable */
  async create(input: CreateCheckoutInput): Promise<CheckoutView> {
    const amount = readPrice(input.amount, input.coinCode, this.catalogue.assets());
    assertReturnUrl(input.returnUrl);
    return this.openRequest.open(input, (point) => this.draw({ ...input, amount }, point));
  }

  private async draw(input: CreateCheckoutInput, point: CollectingPoint): Promise<Drawn<CheckoutView>> {
    if (input.paymentLink !== undefined) refuseLinksOnPhysicalPos(point);
    if (input.amountByPayer === true) demandOpenAmount(point, input.coinCode, this.catalogue.assets());
    const collectable = this.assignAddress.collectable(point);
    const offerable =
      input.openedBy === undefined
        ? collectable
        : await this.publicOptions.of(point, collectable, input.openedBy);
    const options = await this.priceOptions.several(offerable, input.amount, input.coinCode, input.at);
    const offered = options.map(({ asset }) => asset.uniqueAssetId);
    const checkout = newCheckout(input, point, offered, this.cell);
    const url = this.urls.forWallets(checkout.sessionId);
    const [first, ...others] = options;
    const addresses = others.length > 0 ? null : this.assignAddress.numbering(point, first.asset);
    return drawn(addresses, (taken) => {
      const request = this.open(input, point, options, taken);
      const { expiresAt } = request.snapshot();
      const toSign = { ...checkout, url, createdAt: input.at, expiresAt };
      const token = this.tokens.issueForCheckout(toSign, checkout.merchant);
      const answer = viewOf(request, token, checkout, input.paymentLink?.code);
      return { request, token, checkout, answer, alongside: input.alongside };
    });
  }

  private open(
    input: CreateCheckoutInput,
    point: CollectingPoint,
    [first, ...others]: readonly [PricedOption, ...PricedOption[]],
    taken?: TakenNumber,
  ): PaymentRequest {
    const facts = newFacts(point, input, input, this.catalogue.assets());
    const windowSeconds = this.settings.paymentWindowSeconds;
    if (others.length > 0) return PaymentRequest.offer(facts, windowSeconds);
    // Alone, it has an amount: `several` refuses where none has.
    const selection = this.assignAddress.assign(point, first as Asked, facts.id, input.at, taken);
    return PaymentRequest.open(facts, selection, windowSeconds);
  }
}

function viewOf(
  request: PaymentRequest,
  token: string,
  checkout: Checkout,
  linkCode: string | undefined,
): CheckoutView {
  const { status, expiresAt } = request.snapshot();
  const { selected } = request;
  const { underpaymentTolerance: _, ...facts } = request.facts;
  const address = selected && addressForPeople(selected.depositAddress.address);
  const nothingSeen = { receivedAmount: 0n, headNumber: 0, transfers: [] };
  return {
    ...facts,
    ...checkout,
    type: 'fixed',
    status,
    fulfilled: false,
    token,
    expiresAt,
    linkCode,
    ...(selected === null ? {} : { selected: { ...selected, address: address!, ...nothingSeen } }),
  };
}

/** @throws validation_failed */
export function assertReturnUrl(url: string | undefined): void {
  if (url === undefined || readHttpsUrl(url) !== undefined) return;
  throw invalidField('return_url', 'https_url', 'must be an https:// URL without a user name or password.');
}
