import { Controller, Get, Param, Post } from '@nestjs/common';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { handleFormSubmission, FormBody, validateForm } from '#shared/platform/http/dashboard/form-body.js';
import { parseTimeSince2000 } from '#shared/kernel/instant.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { EMPTY_FORM, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { ReplayEvents } from '#contexts/webhooks/application/redelivery/replay-events.js';
import { ResendDelivery } from '#contexts/webhooks/application/redelivery/resend-delivery.js';
import { WebhookQueries } from '../../registration/persistence/webhook-queries.js';
import { WebhookPages } from '../../delivery/dashboard/webhook-pages.js';
import { ReplayBody } from '../http/redelivery.dto.js';
import { REPLAY_FORM, replayPage } from './replay-page.js';

const DAY_MS = 86_400_000;
const RequiresSendingDeliveries = () =>
  DashboardActionRoute('test, resend or replay', 'test_webhooks', 'none', 'uses the configured URL');

@Controller('app/webhooks/:id')
export class RedeliveryPagesController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly resendDelivery: ResendDelivery,
    private readonly replayEvents: ReplayEvents,
    private readonly pages: WebhookPages,
  ) {}

  @RequiresSendingDeliveries()
  @Post('deliveries/:deliveryId/resend')
  async resend(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @Param('deliveryId', new UuidParam('delivery')) deliveryId: DeliveryId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { accountId } = await this.webhooks.find(visitor.organizationId, id);
    const again = ({ refusal }: SubmittedForm) => this.pages.show(visitor, id, refusal);
    return handleFormSubmission(EMPTY_FORM, again, async () => {
      await this.resendDelivery.resend({ scope: visitor.scope, accountId, webhookId: id, deliveryId });
      return seeOther(`/app/webhooks/${id}?done=resent`);
    });
  }

  @DashboardRoute('test_webhooks')
  @Get('replay')
  async showReplayForm(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const now = visitor.at.getTime();
    const typed = { from: formatWholeMinute(now - DAY_MS), to: formatWholeMinute(now) };
    return showPage(replayPage({ visitor, webhook, sent: { fields: REPLAY_FORM, typed } }));
  }

  @RequiresSendingDeliveries()
  @Post('replay')
  async replay(
    @Param('id', new UuidParam('webhook')) id: WebhookId,
    @FormBody(REPLAY_FORM) form: SubmittedForm<typeof REPLAY_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const dryRun = form.typed.act !== 'replay';
    const again = (sent: SubmittedForm) => replayPage({ visitor, webhook, sent });
    return handleFormSubmission(form, again, async () => {
      const { from = '', to = '' } = form.typed;
      const times = await validateForm(ReplayBody, { from: inUtc(from), to: inUtc(to) });
      const events = await this.replayEvents.replay({
        scope: visitor.scope,
        accountId: webhook.accountId,
        webhookId: id,
        from: parseTimeSince2000(times.from)!,
        to: parseTimeSince2000(times.to)!,
        dryRun,
      });
      if (dryRun) return showPage(replayPage({ visitor, webhook, sent: form, events }));
      return seeOther(`/app/webhooks/${id}?done=replayed`);
    });
  }
}

function formatWholeMinute(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}

/** Completes the time that a browser's picker sends, which has no zone and sometimes no seconds. */
function inUtc(time: string): string {
  const [, minute, seconds = ':00'] = /^([\d-]{10}T\d\d:\d\d)(:\d\d)?$/.exec(time) ?? [];
  return minute === undefined ? time : `${minute}${seconds}Z`;
}
