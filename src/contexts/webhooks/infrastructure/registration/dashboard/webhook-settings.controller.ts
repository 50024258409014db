import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import { readWholeNumber } from '#shared/kernel/text.js';
import type { Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { WebhookId } from '#shared/kernel/ids.js';
import {
  seeOther,
  showPage,
  SecretPageToken,
  redirectToSecretPage,
} from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  FormBody,
  validateForm,
} from '#shared/platform/http/dashboard/form-body.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { OneTimeSecretStore } from '#contexts/identity/contract/dashboard-session.js';
import { ChangeWebhookUrl } from '#contexts/webhooks/application/registration/change-webhook-url.js';
import { RotateSecret } from '#contexts/webhooks/application/registration/rotate-secret.js';
import { ChangeWebhookStatus } from '#contexts/webhooks/application/registration/change-webhook-status.js';
import { RotateSecretBody } from '../http/webhook.dto.js';
import { type WebhookView, WebhookQueries } from '../persistence/webhook-queries.js';
import { webhookSecretPagePath, webhookSecretPage } from './webhook-secret-page.js';
import {
  DELETE_WEBHOOK_FORM,
  SECRET_ROTATION_FORM,
  WEBHOOK_URL_FORM,
  webhookSettingsPage,
} from './webhook-settings-page.js';

const WebhookIdParam = () => Param('id', new UuidParam('webhook'));
const RequiresSwitchingWebhooks = () =>
  DashboardActionRoute(
    'activate, deactivate or delete a webhook',
    'manage',
    'none',
    'URL and secret stay or are deleted',
  );

@Controller('app/webhooks/:id')
export class WebhookSettingsController {
  constructor(
    private readonly webhooks: WebhookQueries,
    private readonly changeWebhookUrl: ChangeWebhookUrl,
    private readonly changeWebhookStatus: ChangeWebhookStatus,
    private readonly rotateSecret: RotateSecret,
    private readonly oneTimeSecretStore: OneTimeSecretStore,
  ) {}

  @DashboardRoute('manage')
  @Get('settings')
  async show(@WebhookIdParam() id: WebhookId, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(webhookSettingsPage({ visitor, webhook: await this.find(id, visitor) }));
  }

  @DashboardActionRoute('change a webhook’s URL', 'manage', 'fresh', 'sends events to another URL')
  @Post('url')
  async changeUrl(
    @WebhookIdParam() id: WebhookId,
    @FormBody(WEBHOOK_URL_FORM) form: SubmittedForm<typeof WEBHOOK_URL_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const webhook = await this.find(id, visitor);
    const { url = '' } = form.typed;
    const again = (sent: SubmittedForm) => webhookSettingsPage({ visitor, webhook, sent });
    return handleFormSubmission(form, again, async () => {
      await this.changeWebhookUrl.change({ ...referenceTo(webhook, visitor), url: url.trim() });
      return seeOther(`/app/webhooks/${id}?done=url_changed`);
    });
  }

  @RequiresSwitchingWebhooks()
  @Post('activate')
  async activate(@WebhookIdParam() id: WebhookId, @CurrentDashboardUser() visitor: DashboardUser) {
    await this.changeWebhookStatus.activate(referenceTo(await this.find(id, visitor), visitor));
    return seeOther(`/app/webhooks/${id}?done=activated`);
  }

  @RequiresSwitchingWebhooks()
  @Post('deactivate')
  async deactivate(@WebhookIdParam() id: WebhookId, @CurrentDashboardUser() visitor: DashboardUser) {
    await this.changeWebhookStatus.deactivate(referenceTo(await this.find(id, visitor), visitor));
    return seeOther(`/app/webhooks/${id}?done=deactivated`);
  }

  @RequiresSwitchingWebhooks()
  @Post('end-overlap')
  async endOverlap(@WebhookIdParam() id: WebhookId, @CurrentDashboardUser() visitor: DashboardUser) {
    await this.rotateSecret.endOverlap(referenceTo(await this.find(id, visitor), visitor));
    return seeOther(`/app/webhooks/${id}?done=overlap_ended`);
  }

  @DashboardActionRoute('rotate a webhook’s secret', 'manage', 'fresh', 'displays a secret')
  @Post('rotate-secret')
  async rotate(
    @WebhookIdParam() id: WebhookId,
    @FormBody(SECRET_ROTATION_FORM) form: SubmittedForm<typeof SECRET_ROTATION_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res({ passthrough: true }) response: Response,
  ) {
    const webhook = await this.find(id, visitor);
    const { overlap_seconds: overlap = '' } = form.typed;
    const again = (sent: SubmittedForm) => webhookSettingsPage({ visitor, webhook, sent });
    return handleFormSubmission(form, again, async () => {
      const { overlap_seconds } = await validateForm(RotateSecretBody, {
        overlap_seconds: readWholeNumber(overlap),
      });
      const rotation = { ...referenceTo(webhook, visitor), overlapSeconds: overlap_seconds };
      const { secret } = await this.rotateSecret.rotate(rotation);
      const page = webhookSecretPagePath(id);
      return redirectToSecretPage(
        page,
        await this.oneTimeSecretStore.storeSecret(visitor.sessionId, page, secret),
        response,
      );
    });
  }

  @DashboardRoute('manage')
  @Get('secret')
  async showSecret(
    @WebhookIdParam() id: WebhookId,
    @SecretPageToken() token: string | undefined,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const webhook = await this.find(id, visitor);
    const secret = await this.oneTimeSecretStore.consumeSecret(
      visitor.sessionId,
      webhookSecretPagePath(id),
      token,
    );
    if (secret === null) return seeOther(`/app/webhooks/${id}?done=shown`);
    return showPage(webhookSecretPage({ visitor, webhook, secret }));
  }

  @RequiresSwitchingWebhooks()
  @Post('delete')
  async delete(
    @WebhookIdParam() id: WebhookId,
    @FormBody(DELETE_WEBHOOK_FORM) form: SubmittedForm<typeof DELETE_WEBHOOK_FORM>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const webhook = await this.find(id, visitor);
    const again = (sent: SubmittedForm) => webhookSettingsPage({ visitor, webhook, sent });
    return handleFormSubmission(form, again, async () => {
      if (form.typed.confirm !== 'on')
        throw invalidField('confirm', 'confirmed', 'Tick the box to delete the webhook.');
      await this.changeWebhookStatus.delete(referenceTo(webhook, visitor));
      return seeOther('/app/webhooks?done=deleted');
    });
  }

  private find(id: WebhookId, { organizationId }: DashboardUser): Promise<WebhookView> {
    return this.webhooks.find(organizationId, id);
  }
}

function referenceTo({ id: webhookId, accountId }: WebhookView, visitor: DashboardUser) {
  return { scope: visitor.scope, accountId, webhookId, ...auditActorOf(visitor) };
}
