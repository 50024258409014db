import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { WebhookId } from '#shared/kernel/ids.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { readFilteredPage, type ParsedFilters } from '#shared/platform/http/dashboard/list-filters.js';
import type { SelfSendingAnswer } from '#shared/platform/http/answers/answer.js';
import type { DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import type { FormErrors } from '#shared/web/dashboard/form-fields.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { AttemptLog } from '../persistence/attempt-log.js';
import { DeliveryLogQuery, toAttemptFilter } from './delivery-log.query.js';
import { webhookPage } from './webhook-page.js';

const PAGE_SIZE = 10;

@Injectable()
export class WebhookPages {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly attempts: AttemptLog,
  ) {}

  async deliveryLogPage(
    visitor: DashboardUser,
    id: WebhookId,
    filters: ParsedFilters<DeliveryLogQuery>,
  ): Promise<SelfSendingAnswer> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const { query } = filters;
    const paging = { page: query.page, pageSize: PAGE_SIZE };
    const found = await readFilteredPage(filters, () =>
      this.attempts.pageOfWebhook(webhook, id, toAttemptFilter(query), paging),
    );
    return showPage(webhookPage({ visitor, webhook, query, ...paging, ...found }), found.refusal);
  }

  async show(visitor: DashboardUser, id: WebhookId, refusal: FormErrors | undefined): Promise<VNode> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const query = new DeliveryLogQuery();
    const paging = { page: query.page, pageSize: PAGE_SIZE };
    const attempts = await this.attempts.pageOfWebhook(webhook, id, {}, paging);
    return webhookPage({ visitor, webhook, query, refusal, ...paging, ...attempts });
  }
}
