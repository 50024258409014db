import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  ChargeRequests,
  type ChargedAmount,
  type ChargeRequestView,
  type ChargeRequestInput,
  type ChargePreview,
} from '../../contract/charge-requests.js';
import type { Checkout } from '../../domain/requests/payment-request-facts.js';
import { RequestExistsError } from '../../domain/requests/payment-requests.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import type {
  CheckoutView,
  PaymentDueView,
  PaymentRequestFactsView,
  PaymentRequestView,
} from '../requests/payment-request-view.js';
import { CreatePaymentRequest, type SingleAssetRequestInput } from '../requests/create-payment-request.js';
import { StoreNewRequest, type CreationPlan } from '../requests/store-new-request.js';
import { PaymentTokenIssuer, selectNaspipTokenToDisplay } from '../requests/payment-token-issuer.js';
import { CheckoutQueries, buildCheckout } from './checkout-session.js';

/** Each charge is a checkout in one asset, so its token contains the payment instruction. */
@Injectable()
export class CheckoutChargeRequests extends ChargeRequests {
  constructor(
    private readonly storeNewRequest: StoreNewRequest,
    private readonly createRequest: CreatePaymentRequest,
    private readonly queries: CheckoutQueries,
    private readonly urls: CheckoutUrls,
    private readonly tokens: PaymentTokenIssuer,
    private readonly clock: Clock,
    private readonly cell: DeploymentCell,
  ) {
    super();
  }

  async preview(input: Omit<ChargeRequestInput, 'id' | 'referenceId'>): Promise<ChargePreview> {
    const timed = { ...input, at: await this.clock.now() };
    return this.storeNewRequest.previewAnswer(timed, (point) => {
      const { organizationId, accountId } = point;
      return this.planCharge(timed, point, (request, { merchant }) => {
        return { ...toChargedAmount(request), organizationId, accountId, merchantName: merchant.name };
      });
    });
  }

  async open(input: ChargeRequestInput): Promise<ChargeRequestView> {
    // An existing charge remains valid even if the point of sale has changed since.
    const opened = await this.findOpenedCharge(input.scope, input.id);
    if (opened !== undefined) return opened;
    const timed = { ...input, at: await this.clock.now() };
    try {
      return await this.storeNewRequest.store(timed, (point) =>
        this.planCharge(timed, point, (request, { sessionId }) =>
          this.presentCharge(request, request, { sessionId, token: request.token, receivedAmount: 0n }),
        ),
      );
    } catch (error) {
      if (!(error instanceof RequestExistsError)) throw error;
    }
    const openedConcurrently = await this.findOpenedCharge(input.scope, input.id);
    if (openedConcurrently === undefined) throw notFound('payment request');
    return openedConcurrently;
  }

  async find(organizationId: OrganizationId, ids: readonly PaymentRequestId[]): Promise<ChargeRequestView[]> {
    const sessions = await this.queries.findByRequests(organizationId, ids);
    return sessions.flatMap((session) => this.toExistingCharge(session) ?? []);
  }

  private async findOpenedCharge(
    { organizationId, accountId }: TenantScope,
    id: PaymentRequestId,
  ): Promise<ChargeRequestView | undefined> {
    const [session] = await this.queries.findByRequests(organizationId, [id]);
    if (session === undefined || (accountId !== null && session.accountId !== accountId)) return undefined;
    return this.toExistingCharge(session);
  }

  private planCharge<T>(
    input: SingleAssetRequestInput,
    point: PaymentPointOfSale,
    answerOf: (request: PaymentRequestView, checkout: Checkout) => T,
  ): CreationPlan<T> {
    refuseChargesOnPhysicalPos(point);
    const { addresses, build } = this.createRequest.planRequest(input, point);
    return {
      addresses,
      build: (number) => {
        const { answer: request, ...created } = build(number);
        const { amount, decimals, currency, uniqueAssetId } = request;
        const price = { amount: formatAmount(amount, decimals), coinCode: currency };
        const checkout = buildCheckout({ ...input, ...price }, point, [uniqueAssetId], this.cell);
        return { ...created, checkout, answer: answerOf(request, checkout) };
      },
    };
  }

  /** A checkout in which the payer selects the asset is not a charge. */
  private toExistingCharge(session: CheckoutView): ChargeRequestView | undefined {
    const { sessionId, selected } = session;
    if (selected === undefined) return undefined;
    const token = selectNaspipTokenToDisplay(session, this.tokens, this.urls);
    return this.presentCharge(session, selected, {
      sessionId,
      token,
      receivedAmount: selected.receivedAmount,
    });
  }

  private presentCharge(
    { id, status, createdAt, expiresAt }: PaymentRequestFactsView,
    payment: PaymentDueView,
    { sessionId, ...progress }: { sessionId: string; token: string; receivedAmount: bigint },
  ): ChargeRequestView {
    const hostedCheckoutUrl = this.urls.page(sessionId);
    const { address } = payment;
    return {
      id,
      status,
      ...toChargedAmount(payment),
      address,
      ...progress,
      hostedCheckoutUrl,
      createdAt,
      expiresAt,
    };
  }
}

function toChargedAmount({
  uniqueAssetId,
  network,
  currency,
  decimals,
  amount,
}: ChargedAmount): ChargedAmount {
  return { uniqueAssetId, network, currency, decimals, amount };
}

/** A recurring charge would end the request of the customer at the till. @throws state_conflict */
function refuseChargesOnPhysicalPos({ type }: Pick<PaymentPointOfSale, 'type'>): void {
  if (type === 'online') return;
  throw stateConflict(
    'A recurring charge would end the payment in progress at a physical point of sale, which can have only one ' +
      'payment at a time. Use an online point of sale.',
  );
}
