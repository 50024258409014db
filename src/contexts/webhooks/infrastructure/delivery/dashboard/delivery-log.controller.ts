import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { WebhookId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf } from '#shared/platform/http/dashboard/form-refusal.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { TestWebhook } from '#contexts/webhooks/application/delivery/test-webhook.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { DeliveryLogQuery } from './delivery-log.query.js';
import { WebhookPageSender } from './webhook-page-sender.js';

@Controller('app/webhooks/:id')
export class DeliveryLogController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly testWebhook: TestWebhook,
    private readonly page: WebhookPageSender,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @Query() query: DeliveryLogQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    await this.page.send(response, visitor, id, { query });
  }

  @DashboardAct('send_deliveries')
  @Post('test')
  async test(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { accountId } = await this.webhooks.find(visitor.organizationId, id);
    const wanted = { scope: visitor.scope, accountId, webhookId: id };
    const refusal = await refusalOf(async () => void (await this.testWebhook.execute(wanted)));
    if (refusal !== undefined) return this.page.send(response, visitor, id, { refusal });
    response.redirect(303, `/app/webhooks/${id}?done=tested`);
  }
}
