import { Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { AccountId } from '#shared/kernel/ids.js';
import { showPage, redirectToSecretPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionListQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  FormBody,
  validateForm,
} from '#shared/platform/http/dashboard/form-body.js';
import type { SubmittedForm, SubmittedFields } from '#shared/web/dashboard/form-fields.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { RegisterWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import { WebhookQueries } from '../persistence/webhook-queries.js';
import type { WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';
import { RegisterWebhookBody } from '../http/webhook.dto.js';
import { NEW_WEBHOOK_FORM, registerWebhookPage } from './register-webhook-page.js';
import { webhookSecretPagePath } from './webhook-secret-page.js';
import { webhooksPage } from './webhooks-page.js';

const PAGE_SIZE = 15;

@Controller('app/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly registerWebhook: RegisterWebhook,
    private readonly accounts: AccountNames,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page, done }: CompletedActionListQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const paging = { page, pageSize: PAGE_SIZE };
    const webhooks = await this.webhooks.list(visitor.organizationId, paging);
    return showPage(webhooksPage({ visitor, done, ...paging, ...webhooks }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async showForm(@CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.newPage(visitor));
  }

  @DashboardActionRoute('create a webhook', 'manage', 'fresh', 'displays a secret and sends events to a URL')
  @Post('new')
  register(
    @FormBody(NEW_WEBHOOK_FORM) form: SubmittedForm<typeof NEW_WEBHOOK_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const again = (sent: SubmittedForm) => this.newPage(visitor, sent);
    return handleFormSubmission(form, again, async () => {
      const accountId = requireChosenId<AccountId>('account_id', form.typed.account_id, 'the accounts');
      const registration = {
        scope: visitor.scope,
        ...auditActorOf(visitor),
        accountId,
        ...(await validateNewWebhook(form.typed)),
      };
      const { webhook, secret } = await this.registerWebhook.register(registration);
      const page = webhookSecretPagePath(webhook.id);
      return redirectToSecretPage(
        page,
        await this.oneTimeSecretStore.storeSecret(visitor.sessionId, page, secret),
        response,
      );
    });
  }

  private async newPage(visitor: DashboardUser, sent?: SubmittedForm) {
    const typed = sent?.typed['account_id'];
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed });
    return registerWebhookPage({ visitor, accounts, sent });
  }
}

async function validateNewWebhook(typed: SubmittedFields<typeof NEW_WEBHOOK_FORM>) {
  const { url, event_type, description } = await validateForm(RegisterWebhookBody, {
    url: typed.url?.trim() ?? '',
    event_type: typed.event_type as WebhookEventType,
    ...(typed.description && { description: typed.description }),
  });
  return { url, eventType: event_type, description };
}
