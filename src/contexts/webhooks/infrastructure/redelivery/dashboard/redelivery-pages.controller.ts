import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { judged } from '#shared/platform/http/dashboard/judged.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { readInstant } from '#shared/platform/http/validation/instant.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ReplayEvents } from '#contexts/webhooks/application/redelivery/replay-events.js';
import { ResendDelivery } from '#contexts/webhooks/application/redelivery/resend-delivery.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { WebhookPageSender } from '../../delivery/dashboard/webhook-page-sender.js';
import { ReplayBody, ReplayForm } from '../http/redelivery.dto.js';
import { replayPage } from './pages/replay-page.js';

const DAY_MS = 86_400_000;

@Controller('app/webhooks/:id')
export class RedeliveryPagesController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly resendDelivery: ResendDelivery,
    private readonly replayEvents: ReplayEvents,
    private readonly page: WebhookPageSender,
  ) {}

  @DashboardAct('send_deliveries')
  @Post('deliveries/:deliveryId/resend')
  async resend(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @Param('deliveryId', new UuidParam('delivery')) deliveryId: DeliveryId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { accountId } = await this.webhooks.find(visitor.organizationId, id);
    const input = { scope: visitor.scope, accountId, webhookId: id, deliveryId };
    const refusal = await refusalOf(async () => void (await this.resendDelivery.execute(input)));
    if (refusal !== undefined) return this.page.send(response, visitor, id, { refusal });
    response.redirect(303, `/app/webhooks/${id}?done=resent`);
  }

  @DashboardRoute('test_webhooks')
  @Get('replay')
  async offer(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const form = { from: wholeMinute(visitor.at.getTime() - DAY_MS), to: wholeMinute(visitor.at.getTime()) };
    sendDashboardPage(response, replayPage({ visitor, webhook, form }));
  }

  @DashboardAct('send_deliveries')
  @Post('replay')
  async replay(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @Body() form: ReplayForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const dryRun = form.act !== 'replay';
    let events = 0;
    const refusal = await refusalOf(async () => {
      const { from, to } = await judged(ReplayBody, { from: form.from ?? '', to: form.to ?? '' });
      events = await this.replayEvents.execute({
        scope: visitor.scope,
        accountId: webhook.accountId,
        webhookId: id,
        from: readInstant(from)!,
        to: readInstant(to)!,
        dryRun,
      });
    });
    if (refusal !== undefined || dryRun) {
      const page = replayPage({ visitor, webhook, form, refusal, events });
      return sendDashboardPage(response, page, refusal?.status);
    }
    response.redirect(303, `/app/webhooks/${id}?done=replayed`);
  }
}

function wholeMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}:00Z`;
}
