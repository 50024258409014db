import { Injectable } from '@nestjs/common';
import { parseAmount, formatAmount, type AmountProblem } from '../../../shared/kernel/amount.js';
import type { Asset } from '../../../shared/kernel/asset.js';
import { DomainError, invalidField } from '../../../shared/kernel/domain-error.js';
import { newId, type PaymentRequestId, type PointOfSaleId } from '../../../shared/kernel/ids.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { DepositAddresses } from '../../networks/contract/deposit-addresses.js';
import { NetworkCatalogue, type Network } from '../../networks/contract/network-catalogue.js';
import {
  PointsOfSale,
  type CollectingPoint,
  type SettlementTerms,
} from '../../point-of-sale/contract/points-of-sale.js';
import { PaymentRequest } from '../domain/payment-request.js';
import { PaymentRequests, type Refusal } from '../domain/payment-requests.js';
import { OneAtATime } from './one-at-a-time.js';
import type { Order } from './order.js';
import type { PaymentRequestToSign, PaymentRequestView } from './payment-request-view.js';
import { PaymentTokens } from './payment-tokens.js';
import { PaymentWindow } from './payment-window.js';

export interface CreatePaymentRequestInput {
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  /** Decimal string in whole units of the asset. */
  readonly amount: string;
  readonly uniqueAssetId: string;
  readonly referenceId?: string;
  readonly order?: Order;
  /** When the credential was proven, by the database's clock: the request's birth. */
  readonly at: Date;
}

const ATTEMPTS = 3;
/** How long, in milliseconds, and how many creations wait for another on the same physical point of sale. */
const PATIENCE_MS = 2_000;
const WAITING = 50;
/** At most one creation of each process looks, and one of these always gets through: they need not be kept apart. */
const LOOK_AGAIN_MS = 40;

/**
 * Assigns a deposit address and opens the window for one payment. One statement once the point of sale is known;
 * a physical point of sale's previous request is closed in the same unit of work.
 */
@Injectable()
export class CreatePaymentRequest {
  private readonly physical = new OneAtATime(WAITING);

  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly catalogue: NetworkCatalogue,
    private readonly addresses: DepositAddresses,
    private readonly requests: PaymentRequests,
    private readonly tokens: PaymentTokens,
    private readonly unitOfWork: UnitOfWork,
    private readonly window: PaymentWindow,
  ) {}

  /** @throws not_found, validation_failed, settlement_address_missing, state_conflict, unavailable */
  async execute(input: CreatePaymentRequestInput): Promise<PaymentRequestView> {
    for (let attempt = 1; ; attempt += 1) {
      const point = await this.pointsOfSale.find(input.scope, input.pointOfSaleId);
      const request = this.open(input, point);
      const view = viewOf(request, input.order);
      // Signed before it is stored: an order that no token can carry leaves nothing behind.
      const token = this.tokens.issue(view, point.merchant);
      const refusal = await this.store(request, token, point);
      if (refusal === null) return { ...view, token };
      if (refusal === 'network_not_watched') throw unavailable(request.facts.network);
      if (attempt === ATTEMPTS) throw keepsChanging();
      this.pointsOfSale.forget(point.id);
    }
  }

  private open(input: CreatePaymentRequestInput, point: CollectingPoint): PaymentRequest {
    const { asset, network } = this.assetOf(input.uniqueAssetId, point);
    const amount = amountOf(input.amount, asset);
    const terms = point.terms.get(network.network);
    if (terms === undefined) throw settlementAddressMissing(network);
    if (!this.catalogue.takesRequests(network.network)) throw unavailable(network.network);
    const id = newId<PaymentRequestId>();
    return PaymentRequest.open(
      {
        id,
        organizationId: point.organizationId,
        accountId: point.accountId,
        pointOfSaleId: point.id,
        network: network.network,
        uniqueAssetId: asset.uniqueAssetId,
        currency: asset.symbol,
        decimals: asset.decimals,
        amount,
        ...(input.referenceId === undefined ? {} : { referenceId: input.referenceId }),
        ...(input.order === undefined ? {} : { order: input.order }),
        deposit: { ...this.addresses.derive(network.network, terms, id), ...commitment(terms, network) },
        createdAt: input.at,
      },
      this.window.seconds,
      network.inclusionGraceSeconds,
    );
  }

  private assetOf(uniqueAssetId: string, point: CollectingPoint): { asset: Asset; network: Network } {
    const asset = this.catalogue.asset(uniqueAssetId);
    const network = asset && this.catalogue.network(asset.network);
    if (asset === undefined || network === undefined || !point.paymentOptions.includes(asset.uniqueAssetId)) {
      throw invalidField(
        'unique_asset_id',
        'payment_option',
        `must be one of this point of sale's payment options: ${point.paymentOptions.join(', ') || 'it has none yet'}`,
      );
    }
    return { asset, network };
  }

  private async store(
    request: PaymentRequest,
    token: string,
    point: CollectingPoint,
  ): Promise<Refusal | null> {
    if (point.type === 'online') return this.requests.add(request, token, point.version);
    const until = performance.now() + PATIENCE_MS;
    const turn = this.physical.run(point.id, () => this.replaceOpen(request, token, point, until));
    if (turn === null) throw busy();
    return turn;
  }

  /** Waits for other processes without a connection in its hands: those would soon all be waiting. */
  private async replaceOpen(
    request: PaymentRequest,
    token: string,
    point: CollectingPoint,
    until: number,
  ): Promise<Refusal | null> {
    for (;;) {
      const outcome = await this.tryToReplaceOpen(request, token, point);
      if (outcome !== 'busy') return outcome;
      if (performance.now() > until) throw busy();
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
  }

  private tryToReplaceOpen(
    request: PaymentRequest,
    token: string,
    point: CollectingPoint,
  ): Promise<Refusal | 'busy' | null> {
    return this.unitOfWork.run(async () => {
      const previous = await this.requests.lockOpenOn(point.id);
      if (previous === null) return 'busy';
      const refusal = await this.requests.add(request, token, point.version);
      if (refusal !== null) return refusal;
      for (const open of previous) open.closeWindow(request.facts.createdAt);
      await this.requests.save(previous);
      return null;
    });
  }
}

function amountOf(text: string, asset: Asset): bigint {
  const amount = parseAmount(text, asset.decimals);
  if (typeof amount !== 'bigint') throw invalidField('amount', amount, amountSentence(amount, asset));
  if (amount < asset.minimumAmount) {
    const least = formatAmount(asset.minimumAmount, asset.decimals);
    throw invalidField('amount', 'minimum_amount', `must be at least ${least} ${asset.symbol}`);
  }
  return amount;
}

function amountSentence(problem: AmountProblem, asset: Asset): string {
  return {
    not_a_decimal: 'must be a decimal string in plain notation, like "12.50"',
    too_many_decimals: `must have at most ${asset.decimals} fraction digits, as ${asset.symbol} has`,
    not_positive: 'must be greater than zero',
    too_large: 'must be an amount that can exist on the network (below 2^256 smallest units)',
  }[problem];
}

function commitment(terms: SettlementTerms, network: Network) {
  const { id, settlementAddress, feeRecipient, feeBasisPoints } = terms;
  return {
    settlementTermsId: id,
    settlementAddress,
    feeRecipient,
    feeBasisPoints,
    homeChainId: network.chainId,
  };
}

function viewOf(request: PaymentRequest, order: Order | undefined): PaymentRequestToSign {
  const { deposit, order: _stored, ...facts } = request.facts;
  const { status, expiresAt } = request.snapshot();
  return {
    ...facts,
    ...(order === undefined ? {} : { order }),
    type: 'fixed',
    address: deposit.address,
    status,
    expiresAt,
  };
}

function settlementAddressMissing(network: Network): DomainError {
  return new DomainError(
    'conflict',
    'settlement_address_missing',
    `No settlement address is set for ${network.name} (${network.network}), so nothing can be collected there. ` +
      'Ask the operator of this service to set one.',
  );
}

function busy(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'Another payment request is being created on this point of sale, which has one at a time. Try again shortly.',
  );
}

function keepsChanging(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'The point of sale or its settlement terms were changed while the request was created. Send it again.',
  );
}

function unavailable(network: string): DomainError {
  return new DomainError(
    'unavailable',
    'unavailable',
    `The network ${network} takes no new payment requests at the moment. Try again shortly, or offer another network.`,
  );
}
