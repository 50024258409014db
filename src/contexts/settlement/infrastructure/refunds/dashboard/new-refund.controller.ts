import { Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { VNode } from 'preact';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { isUuid, type PaymentRequestId } from '#shared/kernel/ids.js';
import {
  seeOther,
  showPage,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  trimmedOrUndefined,
  FormBody,
  validateForm,
} from '#shared/platform/http/dashboard/form-body.js';
import { IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import type { SubmittedForm, SubmittedFields } from '#shared/web/dashboard/form-fields.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentFinder } from '#contexts/payments/contract/payment-finder.js';
import { RefundableRequests } from '#contexts/payments/contract/refundable-requests.js';
import { CreateRefund } from '#contexts/settlement/application/refunds/create-refund.js';
import { MerchantRefundPaymentParser } from '#contexts/settlement/application/refunds/merchant-refund-payment-parser.js';
import { RefundApproval } from '#contexts/settlement/application/refunds/refund-approval.js';
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-claim.js';
import {
  assetToRefund,
  refuseOpenPaymentRequest,
  totalReceived,
} from '#contexts/settlement/domain/refunds/refund-amount-rule.js';
import { Refunds } from '#contexts/settlement/domain/refunds/refunds.js';
import { CreateRefundBody, toRequestedRefund } from '../http/refund.dto.js';
import { SecondFactorStepUp } from './second-factor-step-up.js';
import { choosePaymentToRefundPage } from './choose-payment-to-refund-page.js';
import { NEW_REFUND_FIELDS, newRefundPage } from './new-refund-page.js';
import { newClaimLinkPagePath } from './new-claim-link-page.js';

export class NewRefundQuery {
  @IsEnteredText() payment_request_id?: string;
  /** Order number, payment number or transaction hash that a person typed. */
  @IsEnteredText() payment?: string;
}

@Controller('app/refunds/new')
export class NewRefundController {
  constructor(
    private readonly payments: PaymentFinder,
    private readonly requests: RefundableRequests,
    private readonly createRefund: CreateRefund,
    private readonly merchantPayments: MerchantRefundPaymentParser,
    private readonly approval: RefundApproval,
    private readonly refunds: Refunds,
    private readonly settings: RefundSettings,
    private readonly networks: NetworkCatalogue,
    private readonly secondFactorStepUp: SecondFactorStepUp,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('manage')
  @Get()
  async ask(
    @Query() { payment_request_id: named, payment: typed = '' }: NewRefundQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    if (!named && typed === '') return showPage(choosePaymentToRefundPage({ visitor, typed }));
    if (!named) {
      const found = await this.payments.find(visitor.scope, typed);
      const [payment] = found;
      const isCertain = found.length === 1 && !isOnlyBeginning(typed.trim(), payment!.referenceId);
      if (!isCertain) return showPage(choosePaymentToRefundPage({ visitor, typed, found }));
      return seeOther(`/app/refunds/new?payment_request_id=${payment!.id}`);
    }
    const form = { fields: NEW_REFUND_FIELDS, typed: { payment_request_id: named } };
    const showFormAgain = (sent: SubmittedForm) => this.formPage(visitor, sent);
    return handleFormSubmission(form, showFormAgain, async () =>
      showPage(await this.formPage(visitor, form)),
    );
  }

  /** The page after the redirect displays the payer's claim link once. */
  @DashboardActionRoute('create a refund', 'manage', 'each_time', 'pays out')
  @Post()
  create(
    @FormBody(NEW_REFUND_FIELDS) form: SubmittedForm<typeof NEW_REFUND_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const showFormAgain = (sent: SubmittedForm) => this.formPage(visitor, sent);
    return handleFormSubmission(form, showFormAgain, async () => {
      const { refund, claim } = await this.createRefundFromForm(form.typed, visitor, response);
      const done = refund.paidBy === 'merchant' ? 'named' : 'created';
      if (claim === undefined) return seeOther(`/app/refunds/${refund.id}?done=${done}`);
      const page = newClaimLinkPagePath(refund.id);
      const url = this.settings.claimUrl(claim);
      return redirectToSecretPage(
        page,
        await this.oneTimeSecretStore.storeSecret(visitor.sessionId, page, url),
        response,
      );
    });
  }

  private async createRefundFromForm(
    typed: SubmittedFields<typeof NEW_REFUND_FIELDS>,
    visitor: DashboardUser,
    response: Response,
  ) {
    const { refund_to_address: to, paid_transaction_hash: paid, amount, unique_asset_id, reason } = typed;
    const paymentRequestId = requestIdIn(typed);
    const asked = await validateForm(CreateRefundBody, {
      ...(paid && { paid_transaction_hash: paid.trim() }),
      ...(to && { refund_to_address: to.trim() }),
      ...(!to && !paid && { claim: {} }),
      ...(trimmedOrUndefined(amount) && { amount: parseEnteredAmount(amount!) }),
      ...(unique_asset_id && { unique_asset_id }),
      ...(reason && { reason }),
    });
    const request = await this.requests.find(visitor.scope, paymentRequestId);
    refuseOpenPaymentRequest(request);
    const { asset } = assetToRefund(request.received, unique_asset_id || undefined);
    await this.merchantPayments.parseMerchantRefundPayment(
      request.id,
      asset.network,
      toRequestedRefund(asked),
    );
    await this.secondFactorStepUp.verify(visitor, typed.code, response);
    const { scope, email: by } = visitor;
    const acting = { scope, by, audited: auditActorOf(visitor) };
    return this.createRefund.create({ ...toRequestedRefund(asked), ...acting, paymentRequestId });
  }

  private async formPage(visitor: DashboardUser, sent: SubmittedForm): Promise<VNode> {
    const { payment_request_id: named = '' } = sent.typed;
    if (sent.refusal !== undefined && !isUuid(named.trim()))
      return choosePaymentToRefundPage({ visitor, typed: named, refusal: sent.refusal });
    const request = await this.requests.find(visitor.scope, requestIdIn(sent.typed));
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    const isDelivered = (network: string) => this.networks.network(network)?.deliversDirectly === true;
    const [free, refundable] = [new Map<string, bigint>(), new Map<string, bigint>()];
    for (const received of request.received) {
      const { asset } = received;
      const refunded = await this.refunds.findRefundedSum(request.id, asset.uniqueAssetId);
      refundable.set(asset.uniqueAssetId, totalReceived(received) - refunded);
      if (!isDelivered(asset.network))
        free.set(
          asset.uniqueAssetId,
          await this.approval.availableFloatAmount(request.organizationId, asset),
        );
    }
    return newRefundPage({ visitor, request, networkName, isDelivered, free, refundable, sent });
  }
}

function requestIdIn({ payment_request_id: named = '' }: SubmittedFields): PaymentRequestId {
  const id = named.trim().toLowerCase();
  if (!isUuid(id)) throw invalidField('payment_request_id', 'uuid', 'must be the id of a payment.');
  return id as PaymentRequestId;
}

/** True if the order number is longer, so that the person may mean another payment. */
function isOnlyBeginning(typed: string, reference: string | undefined): boolean {
  return reference !== undefined && reference !== typed && reference.startsWith(typed);
}
