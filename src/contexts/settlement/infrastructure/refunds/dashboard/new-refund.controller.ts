import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { judged } from '#shared/platform/http/dashboard/judged.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { RefundableRequests } from '#contexts/payments/contract/refundable-requests.js';
import { CreateRefund, type CreatedRefund } from '#contexts/settlement/application/refunds/create-refund.js';
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-settings.js';
import { assetToRefund, refuseOpenRequest } from '#contexts/settlement/domain/refunds/refund-amount-rule.js';
import { CreateRefundBody, toAskedRefund } from '../http/refund.dto.js';
import { FreshCode } from './fresh-code.js';
import { newRefundPage, whichPaymentPage } from './pages/new-refund-page.js';
import { refundClaimPage } from './pages/refund-claim-page.js';
import { CreateRefundForm, NewRefundQuery } from './refund.form.js';

@Controller('app/refunds/new')
export class NewRefundController {
  constructor(
    private readonly requests: RefundableRequests,
    private readonly createRefund: CreateRefund,
    private readonly settings: RefundSettings,
    private readonly networks: NetworkCatalogue,
    private readonly freshCode: FreshCode,
  ) {}

  @DashboardRoute('manage')
  @Get()
  async ask(
    @Query() query: NewRefundQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    if (query.payment_request_id) return this.sendForm(response, visitor, query);
    sendDashboardPage(response, whichPaymentPage({ visitor, typed: '' }));
  }

  /** The answer to a claim shows the payer's link, which is known only now. */
  @DashboardAct('create_refund')
  @Post()
  async create(
    @Body() form: CreateRefundForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    let made: CreatedRefund | undefined;
    const refusal = await refusalOf(async () => void (made = await this.execute(form, visitor, response)));
    if (made === undefined) return this.sendForm(response, visitor, form, refusal);
    const { refund, claim } = made;
    if (claim === undefined) return response.redirect(303, `/app/refunds/${refund.id}?done=created`);
    const url = this.settings.claimPage(claim);
    sendDashboardPage(response, refundClaimPage({ visitor, refund, url }));
  }

  private async execute(
    form: CreateRefundForm,
    visitor: DashboardVisitor,
    response: Response,
  ): Promise<CreatedRefund> {
    const { refund_to_address: to, amount, unique_asset_id, reason } = form;
    const paymentRequestId = requestIdOf(form);
    const asked = await judged(CreateRefundBody, {
      ...(to ? { refund_to_address: to.trim() } : { claim: {} }),
      ...(amount && { amount: amount.trim() }),
      ...(unique_asset_id && { unique_asset_id }),
      ...(reason && { reason }),
    });
    const request = await this.requests.find(visitor.scope, paymentRequestId);
    refuseOpenRequest(request);
    assetToRefund(request.received, unique_asset_id || undefined);
    await this.freshCode.demand(visitor, form.code, response);
    const { scope, email: by } = visitor;
    return this.createRefund.execute({ scope, paymentRequestId, by, ...toAskedRefund(asked) });
  }

  /** @throws not_found, also for another organization's payment */
  private async sendForm(
    response: Response,
    visitor: DashboardVisitor,
    typed: CreateRefundForm,
    refusal?: FormRefusal,
  ): Promise<void> {
    const named = typed.payment_request_id ?? '';
    if (!isUuid(named.trim())) {
      const wrong = await refusalOf(async () => void requestIdOf(typed));
      const page = whichPaymentPage({ visitor, typed: named, refusal: wrong });
      return sendDashboardPage(response, page, wrong?.status);
    }
    const request = await this.requests.find(visitor.scope, requestIdOf(typed));
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    const page = newRefundPage({ visitor, request, typed, networkName, refusal });
    sendDashboardPage(response, page, refusal?.status);
  }
}

/** @throws validation_failed for what is no id */
function requestIdOf({ payment_request_id: named = '' }: NewRefundQuery): PaymentRequestId {
  const id = named.trim().toLowerCase();
  if (!isUuid(id)) throw invalidField('payment_request_id', 'uuid', 'must be the id of a payment.');
  return id as PaymentRequestId;
}
