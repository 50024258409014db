import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { WebhookId } from '#shared/kernel/ids.js';
import type { DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import type { FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { AttemptLog } from '../persistence/attempt-log.js';
import { DeliveryLogQuery, toAttemptFilter } from './delivery-log.query.js';
import { webhookPage } from './pages/webhook-page.js';

const PAGE_SIZE = 25;

/** Shows a webhook with its log: when it is asked for, and when one of its buttons was refused. */
@Injectable()
export class WebhookPageSender {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly log: AttemptLog,
  ) {}

  /** @throws not_found */
  async send(
    response: Response,
    visitor: DashboardVisitor,
    id: WebhookId,
    { query = new DeliveryLogQuery(), refusal }: { query?: DeliveryLogQuery; refusal?: FormRefusal } = {},
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const paging = { page: query.page, pageSize: PAGE_SIZE };
    const attempts = await this.log.pageOfWebhook(webhook, id, toAttemptFilter(query), paging);
    const page = webhookPage({ visitor, webhook, query, refusal, ...paging, ...attempts });
    sendDashboardPage(response, page, refusal?.status);
  }
}
