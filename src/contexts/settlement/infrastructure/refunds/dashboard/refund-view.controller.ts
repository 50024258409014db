import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  redirectToSecretPage,
  seeOther,
  showPage,
  SecretPageToken,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { auditActorOf, handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { type FormActionOutcome, EMPTY_FORM, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ApproveRefund } from '#contexts/settlement/application/refunds/approve-refund.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { RefundApproval } from '#contexts/settlement/application/refunds/refund-approval.js';
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-claim.js';
import { ReplaceClaimLink } from '#contexts/settlement/application/refunds/replace-claim-link.js';
import { refuseUnapprovable } from '#contexts/settlement/domain/refunds/refund-approval-rule.js';
import { refuseClaimReplacement } from '#contexts/settlement/domain/refunds/refund-refusals.js';
import { RefundQueries } from '../persistence/refund-queries.js';
import { SecondFactorStepUp } from './second-factor-step-up.js';
import { newClaimLinkPagePath, newClaimLinkPage } from './new-claim-link-page.js';
import { SECOND_FACTOR_CODE_FIELDS, refundViewPage } from './refund-view-page.js';

const RefundId = () => Param('id', new UuidParam('refund'));

@Controller('app/refunds/:id')
export class RefundViewController {
  constructor(
    private readonly refunds: RefundQueries,
    private readonly approveRefund: ApproveRefund,
    private readonly cancelRefund: CancelRefund,
    private readonly replaceClaimLink: ReplaceClaimLink,
    private readonly settings: RefundSettings,
    private readonly approval: RefundApproval,
    private readonly networks: NetworkCatalogue,
    private readonly secondFactorStepUp: SecondFactorStepUp,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @RefundId() id: string,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @DashboardRoute('manage')
  @Get('claim')
  async showClaimLink(
    @RefundId() id: string,
    @SecretPageToken() token: string | undefined,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const refund = await this.refunds.find(visitor.scope, id);
    const url = await this.oneTimeSecretStore.consumeSecret(
      visitor.sessionId,
      newClaimLinkPagePath(id),
      token,
    );
    if (url === null) return seeOther(`/app/refunds/${id}?done=shown`);
    const missing = await this.approval.floatShortfall(refund);
    return showPage(newClaimLinkPage({ visitor, refund, url, missing }));
  }

  @DashboardActionRoute('replace the payer’s refund link', 'manage', 'each_time', 'displays a secret')
  @Post('claim')
  async createClaim(
    @RefundId() id: string,
    @FormBody(SECOND_FACTOR_CODE_FIELDS) form: SubmittedForm<typeof SECOND_FACTOR_CODE_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { scope, sessionId } = visitor;
    const refund = await this.refunds.find(scope, id);
    const showPageAgain = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(form, showPageAgain, async () => {
      refuseClaimReplacement(refund);
      await this.secondFactorStepUp.verify(visitor, form.typed.code, response);
      const { claim } = await this.replaceClaimLink.replace({ scope, id, audited: auditActorOf(visitor) });
      const [page, url] = [newClaimLinkPagePath(id), this.settings.claimUrl(claim)];
      return redirectToSecretPage(
        page,
        await this.oneTimeSecretStore.storeSecret(sessionId, page, url),
        response,
      );
    });
  }

  @DashboardActionRoute('approve a refund', 'manage', 'each_time', 'pays out')
  @Post('approve')
  async approve(
    @RefundId() id: string,
    @FormBody(SECOND_FACTOR_CODE_FIELDS) form: SubmittedForm<typeof SECOND_FACTOR_CODE_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { scope, email: by } = visitor;
    const refund = await this.refunds.find(scope, id);
    const showPageAgain = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(form, showPageAgain, async () => {
      // Checked before the second-factor code, so that a rejected approval does not use up the code.
      refuseUnapprovable(refund);
      await this.secondFactorStepUp.verify(visitor, form.typed.code, response);
      await this.approveRefund.approve({ scope, id, by, audited: auditActorOf(visitor) });
      return seeOther(`/app/refunds/${id}?done=approved`);
    });
  }

  @DashboardActionRoute('cancel a refund', 'manage', 'none', 'pays nothing out')
  @Post('cancel')
  cancel(@RefundId() id: string, @CurrentDashboardUser() visitor: DashboardUser) {
    const showPageAgain = (sent: SubmittedForm) => this.page(visitor, id, { sent });
    return handleFormSubmission(EMPTY_FORM, showPageAgain, async () => {
      await this.cancelRefund.cancel(visitor.scope, id, { audited: auditActorOf(visitor) });
      return seeOther(`/app/refunds/${id}?done=cancelled`);
    });
  }

  private async page(visitor: DashboardUser, id: string, outcome: FormActionOutcome) {
    const refund = await this.refunds.find(visitor.scope, id);
    const { network } = refund.asset;
    const { name: networkName = network, explorerUrl: explorer } = this.networks.network(network) ?? {};
    const missing = refund.status === 'pending' ? await this.approval.floatShortfall(refund) : 0n;
    return refundViewPage({ visitor, refund, networkName, explorer, missing, ...outcome });
  }
}
