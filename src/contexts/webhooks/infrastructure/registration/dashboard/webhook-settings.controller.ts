import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { WebhookId } from '#shared/kernel/ids.js';
import { DashboardAct, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { refusalOf, type FormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import { judged } from '#shared/platform/http/dashboard/judged.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ChangeWebhookUrl } from '#contexts/webhooks/application/registration/change-webhook-url.js';
import type { RegisteredWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import { RotateSecret } from '#contexts/webhooks/application/registration/rotate-secret.js';
import { SwitchWebhook } from '#contexts/webhooks/application/registration/switch-webhook.js';
import { RotateSecretBody } from '../http/webhook.dto.js';
import { WebhookQueries, type ShownWebhook } from '../persistence/webhook-queries.js';
import { webhookSecretPage } from './pages/webhook-secret-page.js';
import { webhookSettingsPage } from './pages/webhook-settings-page.js';
import { DeleteWebhookForm, RotateSecretForm, WebhookUrlForm } from './webhook.form.js';

const Webhook = () => Param('id', new UuidParam('webhook'));

@Controller('app/webhooks/:id')
export class WebhookSettingsController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly changeWebhookUrl: ChangeWebhookUrl,
    private readonly switchWebhook: SwitchWebhook,
    private readonly rotateSecret: RotateSecret,
  ) {}

  @DashboardRoute('manage')
  @Get('settings')
  async show(
    @Webhook() id: WebhookId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    sendDashboardPage(response, webhookSettingsPage({ visitor, webhook }));
  }

  @DashboardAct('change_webhook_url')
  @Post('url')
  async changeUrl(
    @Webhook() id: WebhookId,
    @Body() { url = '' }: WebhookUrlForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const change = { ...referenceTo(webhook, visitor), url: url.trim() };
    const refusal = await refusalOf(async () => void (await this.changeWebhookUrl.execute(change)));
    if (refusal !== undefined) return sendRefused(response, { visitor, webhook, refusal, url });
    response.redirect(303, `/app/webhooks/${id}?done=url_changed`);
  }

  @DashboardAct('switch_webhook')
  @Post('activate')
  async activate(
    @Webhook() id: WebhookId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    await this.switchWebhook.activate(referenceTo(webhook, visitor));
    response.redirect(303, `/app/webhooks/${id}?done=activated`);
  }

  @DashboardAct('switch_webhook')
  @Post('deactivate')
  async deactivate(
    @Webhook() id: WebhookId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    await this.switchWebhook.deactivate(referenceTo(webhook, visitor));
    response.redirect(303, `/app/webhooks/${id}?done=deactivated`);
  }

  @DashboardAct('switch_webhook')
  @Post('end-overlap')
  async end(
    @Webhook() id: WebhookId,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    await this.rotateSecret.endOverlap(referenceTo(webhook, visitor));
    response.redirect(303, `/app/webhooks/${id}?done=overlap_ended`);
  }

  /** Answers with the secret itself: a redirect would have to carry or store it. */
  @DashboardAct('rotate_webhook_secret')
  @Post('rotate-secret')
  async rotate(
    @Webhook() id: WebhookId,
    @Body() { overlap_seconds: overlap = '' }: RotateSecretForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    let rotated: RegisteredWebhook | undefined;
    const refusal = await refusalOf(async () => {
      const seconds = /^\d{1,9}$/.test(overlap) ? Number(overlap) : Number.NaN;
      const { overlap_seconds } = await judged(RotateSecretBody, { overlap_seconds: seconds });
      const wanted = { ...referenceTo(webhook, visitor), overlapSeconds: overlap_seconds };
      rotated = await this.rotateSecret.execute(wanted);
    });
    if (rotated === undefined) return sendRefused(response, { visitor, webhook, refusal });
    sendDashboardPage(response, webhookSecretPage({ visitor, title: 'Secret rotated', ...rotated }));
  }

  @DashboardAct('switch_webhook')
  @Post('delete')
  async delete(
    @Webhook() id: WebhookId,
    @Body() { confirm }: DeleteWebhookForm,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const webhook = await this.webhooks.find(visitor.organizationId, id);
    const refusal = await refusalOf(async () => {
      if (confirm !== 'on') throw invalidField('confirm', 'confirmed', 'Tick the box to delete the webhook.');
      await this.switchWebhook.delete(referenceTo(webhook, visitor));
    });
    if (refusal !== undefined) return sendRefused(response, { visitor, webhook, refusal });
    response.redirect(303, '/app/webhooks?done=deleted');
  }
}

interface Refused {
  readonly visitor: DashboardVisitor;
  readonly webhook: ShownWebhook;
  readonly refusal: FormRefusal | undefined;
  /** The URL that was typed. */
  readonly url?: string;
}

function sendRefused(response: Response, refused: Refused): void {
  sendDashboardPage(response, webhookSettingsPage(refused), refused.refusal?.status);
}

function referenceTo({ id: webhookId, accountId }: ShownWebhook, visitor: DashboardVisitor) {
  const { scope, email: actor, address } = visitor;
  return { scope, accountId, webhookId, actor, address };
}
