import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { Cell } from '#shared/kernel/cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  ChargeRequests,
  type ChargedAmount,
  type ChargeRequest,
  type ChargeRequestInput,
  type CheckedCharge,
} from '../../contract/charge-requests.js';
import { RequestExists } from '../../domain/requests/payment-requests.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import type {
  CheckoutView,
  AskedView,
  PaymentRequestFactsView,
  PaymentRequestView,
} from '../requests/payment-request-view.js';
import { CreatePaymentRequest, type OneAssetInput } from '../requests/create-payment-request.js';
import { changed, OpenPaymentRequest, type Drawn } from '../requests/open-payment-request.js';
import { TokenToShow } from '../requests/payment-tokens.js';
import { CheckoutQueries, newCheckout } from './checkout-session.js';
import { refuseChargesOnPhysicalPos } from './online-pos-rule.js';

/**
 * Opens the requests of other contexts: checkouts with one option, so that payers find a hosted page, whose token carries the
 * payment, so that wallets have nothing to ask.
 */
@Injectable()
export class OpenCharges extends ChargeRequests {
  constructor(
    private readonly openRequest: OpenPaymentRequest,
    private readonly createRequest: CreatePaymentRequest,
    private readonly queries: CheckoutQueries,
    private readonly urls: CheckoutUrls,
    private readonly tokenToShow: TokenToShow,
    private readonly clock: Clock,
    private readonly cell: Cell,
  ) {
    super();
  }

  async check(input: Omit<ChargeRequestInput, 'id' | 'referenceId'>): Promise<CheckedCharge> {
    const asked = { ...input, at: await this.clock.now() };
    return this.openRequest.check(asked, (point) =>
      changed(this.drawCharge(asked, point), (draft) => {
        const { organizationId, accountId } = point;
        const merchantName = draft.checkout!.merchant.name;
        return { ...draft, answer: { ...amountOf(draft.answer), organizationId, accountId, merchantName } };
      }),
    );
  }

  async open(input: ChargeRequestInput): Promise<ChargeRequest> {
    // Before anything is refused: what was opened stands, whatever has become of the point of sale since.
    const opened = await this.opened(input.scope, input.id);
    if (opened !== undefined) return opened;
    const asked = { ...input, at: await this.clock.now() };
    try {
      return await this.openRequest.open(asked, (point) =>
        changed(this.drawCharge(asked, point), (draft) => ({
          ...draft,
          answer: this.newCharge(draft.answer, draft.checkout!.sessionId),
        })),
      );
    } catch (error) {
      if (!(error instanceof RequestExists)) throw error;
    }
    const openedMeanwhile = await this.opened(input.scope, input.id);
    if (openedMeanwhile === undefined) throw notFound('payment request');
    return openedMeanwhile;
  }

  async find(organizationId: OrganizationId, ids: readonly PaymentRequestId[]): Promise<ChargeRequest[]> {
    const sessions = await this.queries.ofRequests(organizationId, ids);
    return sessions.flatMap((session) => this.knownCharge(session) ?? []);
  }

  private async opened(
    { organizationId, accountId }: Scope,
    id: PaymentRequestId,
  ): Promise<ChargeRequest | undefined> {
    const [session] = await this.queries.ofRequests(organizationId, [id]);
    if (session === undefined || (accountId !== null && session.accountId !== accountId)) return undefined;
    return this.knownCharge(session);
  }

  private drawCharge(input: OneAssetInput, point: CollectingPoint): Drawn<PaymentRequestView> {
    refuseChargesOnPhysicalPos(point);
    return changed(this.createRequest.draw(input, point), (draft) => {
      const { amount, decimals, currency, uniqueAssetId } = draft.answer;
      const price = { amount: formatAmount(amount, decimals), coinCode: currency };
      return { ...draft, checkout: newCheckout({ ...input, ...price }, point, [uniqueAssetId], this.cell) };
    });
  }

  private newCharge(request: PaymentRequestView, sessionId: string): ChargeRequest {
    return this.present(request, request, { sessionId, token: request.token, receivedAmount: 0n });
  }

  /** Undefined for a checkout whose payer is to choose, which nobody opened here. */
  private knownCharge(session: CheckoutView): ChargeRequest | undefined {
    const { sessionId, selected } = session;
    if (selected === undefined) return undefined;
    const token = this.tokenToShow.execute(session);
    return this.present(session, selected, { sessionId, token, receivedAmount: selected.receivedAmount });
  }

  private present(
    { id, status, createdAt, expiresAt }: PaymentRequestFactsView,
    asked: AskedView,
    { sessionId, ...progress }: { sessionId: string; token: string; receivedAmount: bigint },
  ): ChargeRequest {
    const hostedCheckoutUrl = this.urls.page(sessionId);
    const { address } = asked;
    return { id, status, ...amountOf(asked), address, ...progress, hostedCheckoutUrl, createdAt, expiresAt };
  }
}

function amountOf({ uniqueAssetId, network, currency, decimals, amount }: ChargedAmount): ChargedAmount {
  return { uniqueAssetId, network, currency, decimals, amount };
}
