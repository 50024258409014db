import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { WebhookId } from '#shared/kernel/ids.js';
import type { DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import type { ShownRefusal } from '#shared/web/dashboard/form-fields.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { AttemptLog } from '../persistence/attempt-log.js';
import { DeliveryLogQuery, toAttemptFilter } from './delivery-log.query.js';
import { webhookPage } from './webhook-page.js';

const PAGE_SIZE = 25;

/** Shows a webhook with its log: when it is asked for, and when one of its buttons was refused. */
@Injectable()
export class WebhookPages {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly log: AttemptLog,
  ) {}

  /** @throws not_found */
  async show(
    visitor: DashboardVisitor,
    id: WebhookId,
    {
      query = new DeliveryLogQuery(),
      refusal,
    }: { query?: DeliveryLogQuery; refusal?: ShownRefusal | undefined },
  ): Promise<VNode> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const paging = { page: query.page, pageSize: PAGE_SIZE };
    const attempts = await this.log.pageOfWebhook(webhook, id, toAttemptFilter(query), paging);
    return webhookPage({ visitor, webhook, query, refusal, ...paging, ...attempts });
  }
}
