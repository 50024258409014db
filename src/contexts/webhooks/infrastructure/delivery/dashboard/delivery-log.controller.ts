import { Controller, Get, Param, Post } from '@nestjs/common';
import type { WebhookId } from '#shared/kernel/ids.js';
import { seeOther } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { handleFormSubmission } from '#shared/platform/http/dashboard/form-body.js';
import { ListFilters, type ParsedFilters } from '#shared/platform/http/dashboard/list-filters.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { EMPTY_FORM, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { TestWebhook } from '#contexts/webhooks/application/delivery/test-webhook.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { DeliveryLogQuery } from './delivery-log.query.js';
import { WebhookPages } from './webhook-pages.js';

@Controller('app/webhooks/:id')
export class DeliveryLogController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly testWebhook: TestWebhook,
    private readonly pages: WebhookPages,
  ) {}

  @DashboardRoute('read')
  @Get()
  async show(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @ListFilters(DeliveryLogQuery) filters: ParsedFilters<DeliveryLogQuery>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    return this.pages.deliveryLogPage(visitor, id, filters);
  }

  @DashboardActionRoute('test, resend or replay', 'test_webhooks', 'none', 'uses the configured URL')
  @Post('test')
  async test(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { accountId } = await this.webhooks.find(visitor.organizationId, id);
    const again = ({ refusal }: SubmittedForm) => this.pages.show(visitor, id, refusal);
    return handleFormSubmission(EMPTY_FORM, again, async () => {
      await this.testWebhook.test({ scope: visitor.scope, accountId, webhookId: id });
      return seeOther(`/app/webhooks/${id}?done=tested`);
    });
  }
}
