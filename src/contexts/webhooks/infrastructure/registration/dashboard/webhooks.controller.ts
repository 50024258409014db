import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { judged } from '#shared/platform/http/dashboard/judged.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import {
  RegisterWebhook,
  type RegisteredWebhook,
} from '#contexts/webhooks/application/registration/register-webhook.js';
import { WebhookQueries } from '../persistence/webhook-queries.js';
import type { WebhookEventType } from '#contexts/webhooks/domain/registration/webhook.js';
import { RegisterWebhookBody } from '../http/webhook.dto.js';
import { registerWebhookPage } from './pages/register-webhook-page.js';
import { webhookSecretPage } from './pages/webhook-secret-page.js';
import { webhooksPage } from './pages/webhooks-page.js';
import { RegisterWebhookForm, WebhooksPageQuery } from './webhook.form.js';

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
  async list(
    @Query() { page, done }: WebhooksPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const wanted = { page, pageSize: PAGE_SIZE };
    const webhooks = await this.webhooks.list(visitor.organizationId, wanted);
    sendDashboardPage(response, webhooksPage({ visitor, done, ...wanted, ...webhooks }));
  }

  @DashboardRoute('manage')
  @Get('new')
  async offer(@CurrentVisitor() visitor: DashboardVisitor, @Res() response: Response): Promise<void> {
    await this.sendForm(response, visitor, new RegisterWebhookForm());
  }

  /** Answers with the secret itself: a redirect would have to carry or store it. */
  @DashboardAct('register_webhook')
  @Post('new')
  async register(
    @Body() form: RegisterWebhookForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    let made: RegisteredWebhook | undefined;
    const refusal = await refusalOf(async () => void (made = await this.execute(form, visitor)));
    if (made === undefined) return this.sendForm(response, visitor, form, refusal);
    sendDashboardPage(response, webhookSecretPage({ visitor, title: 'Webhook registered', ...made }));
  }

  private async execute(form: RegisterWebhookForm, visitor: DashboardVisitor): Promise<RegisteredWebhook> {
    const { url, event_type, description } = await judged(RegisterWebhookBody, {
      url: form.url?.trim() ?? '',
      event_type: form.event_type as WebhookEventType,
      ...(form.description && { description: form.description }),
    });
    return this.registerWebhook.execute({
      ...{ scope: visitor.scope, actor: visitor.email, address: visitor.address },
      ...{ accountId: form.account_id ?? '', url, eventType: event_type, description },
    });
  }

  private async sendForm(
    response: Response,
    visitor: DashboardVisitor,
    form: RegisterWebhookForm,
    refusal?: FormRefusal,
  ): Promise<void> {
    const accounts = await this.accounts.list(visitor.organizationId, MAX_ACCOUNTS);
    const page = registerWebhookPage({ visitor, accounts, form, refusal });
    sendDashboardPage(response, page, refusal?.status);
  }
}
