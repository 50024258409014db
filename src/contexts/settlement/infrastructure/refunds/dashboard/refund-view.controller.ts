import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  redirectToSecretPage,
  seeOther,
  showPage,
  SecretPageToken,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { auditActorOf, answerForm, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { type ActOutcome, BUTTON_FORM, type SentForm } from '#shared/web/dashboard/form-fields.js';
import { ShownOnce } from '#contexts/identity/contract/dashboard-session.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ApproveRefund } from '#contexts/settlement/application/refunds/approve-refund.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { RefundApproval } from '#contexts/settlement/application/refunds/refund-approval.js';
import { RefundSettings } from '#contexts/settlement/application/refunds/refund-claim.js';
import { ReplaceClaim } from '#contexts/settlement/application/refunds/replace-claim.js';
import { refuseUnapprovable } from '#contexts/settlement/domain/refunds/refund-approval-rule.js';
import { refuseClaimReplacement } from '#contexts/settlement/domain/refunds/refund-refusals.js';
import { ListedRefunds } from '../persistence/listed-refunds.js';
import { FreshCode } from './fresh-code.js';
import { claimPagePath, refundClaimPage } from './refund-claim-page.js';
import { CODE_FIELDS, refundViewPage } from './refund-view-page.js';

const RefundId = () => Param('id', new UuidParam('refund'));

@Controller('app/refunds/:id')
export class RefundViewController {
  constructor(
    private readonly refunds: ListedRefunds,
    private readonly approveRefund: ApproveRefund,
    private readonly cancelRefund: CancelRefund,
    private readonly replaceClaim: ReplaceClaim,
    private readonly settings: RefundSettings,
    private readonly approval: RefundApproval,
    private readonly networks: NetworkCatalogue,
    private readonly freshCode: FreshCode,
    private readonly shownOnce: ShownOnce,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @RefundId() id: string,
    @Query() { done }: CompletedActionQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    return showPage(await this.page(visitor, id, { done }));
  }

  @DashboardRoute('manage')
  @Get('claim')
  async showClaim(
    @RefundId() id: string,
    @SecretPageToken() token: string | undefined,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const refund = await this.refunds.find(visitor.scope, id);
    const url = await this.shownOnce.takeSecret(visitor.sessionId, claimPagePath(id), token);
    if (url === null) return seeOther(`/app/refunds/${id}?done=shown`);
    const missing = await this.approval.missingFor(refund);
    return showPage(refundClaimPage({ visitor, refund, url, missing }));
  }

  @DashboardAct('replace the payer’s refund link', 'manage', 'each_time', 'displays a secret')
  @Post('claim')
  async createClaim(
    @RefundId() id: string,
    @FormBody(CODE_FIELDS) form: SentForm<typeof CODE_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { scope, sessionId } = visitor;
    const refund = await this.refunds.find(scope, id);
    const showPageAgain = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(form, showPageAgain, async () => {
      refuseClaimReplacement(refund);
      await this.freshCode.demand(visitor, form.typed.code, response);
      const { claim } = await this.replaceClaim.replace({ scope, id, audited: auditActorOf(visitor) });
      const [page, url] = [claimPagePath(id), this.settings.claimPage(claim)];
      return redirectToSecretPage(page, await this.shownOnce.storeSecret(sessionId, page, url), response);
    });
  }

  @DashboardAct('approve a refund', 'manage', 'each_time', 'pays out')
  @Post('approve')
  async approve(
    @RefundId() id: string,
    @FormBody(CODE_FIELDS) form: SentForm<typeof CODE_FIELDS>,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res({ passthrough: true }) response: Response,
  ) {
    const { scope, email: by } = visitor;
    const refund = await this.refunds.find(scope, id);
    const showPageAgain = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(form, showPageAgain, async () => {
      // Checked before the second-factor code, so that a rejected approval does not use up the code.
      refuseUnapprovable(refund);
      await this.freshCode.demand(visitor, form.typed.code, response);
      await this.approveRefund.approve({ scope, id, by, audited: auditActorOf(visitor) });
      return seeOther(`/app/refunds/${id}?done=approved`);
    });
  }

  @DashboardAct('cancel a refund', 'manage', 'none', 'pays nothing out')
  @Post('cancel')
  cancel(@RefundId() id: string, @CurrentVisitor() visitor: DashboardVisitor) {
    const showPageAgain = (sent: SentForm) => this.page(visitor, id, { sent });
    return answerForm(BUTTON_FORM, showPageAgain, async () => {
      await this.cancelRefund.cancel(visitor.scope, id, { audited: auditActorOf(visitor) });
      return seeOther(`/app/refunds/${id}?done=cancelled`);
    });
  }

  private async page(visitor: DashboardVisitor, id: string, outcome: ActOutcome) {
    const refund = await this.refunds.find(visitor.scope, id);
    const { network } = refund.asset;
    const { name: networkName = network, explorerUrl: explorer } = this.networks.network(network) ?? {};
    const missing = refund.status === 'pending' ? await this.approval.missingFor(refund) : 0n;
    return refundViewPage({ visitor, refund, networkName, explorer, missing, ...outcome });
  }
}
