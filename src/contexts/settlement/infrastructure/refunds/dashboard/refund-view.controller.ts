import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ApproveRefund } from '#contexts/settlement/application/refunds/approve-refund.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { refuseUnapprovable } from '#contexts/settlement/domain/refunds/refund-approval-rule.js';
import { ListedRefunds } from '../persistence/listed-refunds.js';
import { FreshCode } from './fresh-code.js';
import { refundViewPage } from './pages/refund-view-page.js';
import { ApproveRefundForm, RefundPageQuery } from './refund.form.js';

const RefundId = () => Param('id', new UuidParam('refund'));

@Controller('app/refunds/:id')
export class RefundViewController {
  constructor(
    private readonly refunds: ListedRefunds,
    private readonly approveRefund: ApproveRefund,
    private readonly cancelRefund: CancelRefund,
    private readonly networks: NetworkCatalogue,
    private readonly freshCode: FreshCode,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @RefundId() id: string,
    @Query() { done }: RefundPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.send(response, visitor, id, { done });
  }

  @DashboardAct('approve_refund')
  @Post('approve')
  async approve(
    @RefundId() id: string,
    @Body() { code }: ApproveRefundForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { scope, email: by } = visitor;
    const refund = await this.refunds.find(scope, id);
    const refusal = await refusalOf(async () => {
      // Refused before a code is used up.
      refuseUnapprovable(refund);
      await this.freshCode.demand(visitor, code, response);
      await this.approveRefund.execute({ scope, id, by });
    });
    if (refusal !== undefined) return this.send(response, visitor, id, { refusal });
    response.redirect(303, `/app/refunds/${id}?done=approved`);
  }

  @DashboardAct('cancel_refund')
  @Post('cancel')
  async cancel(
    @RefundId() id: string,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const refusal = await refusalOf(async () => void (await this.cancelRefund.execute(visitor.scope, id)));
    if (refusal !== undefined) return this.send(response, visitor, id, { refusal });
    response.redirect(303, `/app/refunds/${id}?done=cancelled`);
  }

  private async send(
    response: Response,
    visitor: DashboardVisitor,
    id: string,
    { done, refusal }: { done?: string | undefined; refusal?: FormRefusal },
  ): Promise<void> {
    const refund = await this.refunds.find(visitor.scope, id);
    const { network } = refund.asset;
    const { name: networkName = network, explorerUrl: explorer } = this.networks.network(network) ?? {};
    sendDashboardPage(
      response,
      refundViewPage({ visitor, refund, networkName, explorer, done, refusal }),
      refusal?.status,
    );
  }
}
