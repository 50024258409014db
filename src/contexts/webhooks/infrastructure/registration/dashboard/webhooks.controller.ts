import { Controller, Get, Post, Query } from '@nestjs/common';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DoneListQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { actedBy, answerForm, FormBody, judged } from '#shared/platform/http/dashboard/form-body.js';
import type { SentForm, Typed } from '#shared/web/dashboard/form-fields.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { RegisterWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import { WebhookQueries } from '../persistence/webhook-queries.js';
import type { WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';
import { RegisterWebhookBody } from '../http/webhook.dto.js';
import { NEW_WEBHOOK, registerWebhookPage } from './register-webhook-page.js';
import { webhookSecretPage } from './webhook-secret-page.js';
import { webhooksPage } from './webhooks-page.js';

const PAGE_SIZE = 50;
/** A longer list is no help to choose from. */
const MAX_ACCOUNTS = 200;

@Controller('app/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly registerWebhook: RegisterWebhook,
    private readonly accounts: AccountNames,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() { page, done }: DoneListQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const paging = { page, pageSize: PAGE_SIZE };
    const webhooks = await this.webhooks.list(visitor.organizationId, paging);
    return showPage(webhooksPage({ visitor, done, ...paging, ...webhooks }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async offer(@CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(await this.newPage(visitor));
  }

  /** Answers with the secret itself: a redirect would have to carry or store it. */
  @DashboardAct('register_webhook')
  @Post('new')
  register(
    @FormBody(NEW_WEBHOOK) form: SentForm<typeof NEW_WEBHOOK>,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const again = (sent: SentForm) => this.newPage(visitor, sent);
    return answerForm(form, again, async () => {
      const accountId = form.typed.account_id ?? '';
      const asked = {
        scope: visitor.scope,
        ...actedBy(visitor),
        accountId,
        ...(await askedIn(form.typed)),
      };
      const made = await this.registerWebhook.execute(asked);
      return showPage(webhookSecretPage({ visitor, title: 'Webhook registered', ...made }));
    });
  }

  private async newPage(visitor: DashboardVisitor, sent?: SentForm) {
    const accounts = await this.accounts.list(visitor.organizationId, MAX_ACCOUNTS);
    return registerWebhookPage({ visitor, accounts, sent });
  }
}

/** @throws validation_failed naming the fields */
async function askedIn(typed: Typed<typeof NEW_WEBHOOK>) {
  const { url, event_type, description } = await judged(RegisterWebhookBody, {
    url: typed.url?.trim() ?? '',
    event_type: typed.event_type as WebhookEventType,
    ...(typed.description && { description: typed.description }),
  });
  return { url, eventType: event_type, description };
}
