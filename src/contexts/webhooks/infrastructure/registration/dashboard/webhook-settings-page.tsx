import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors, Form, FormErrorNotice } from '#shared/web/dashboard/form-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import { Card, LinkButton } from '#shared/web/dashboard/page-parts.js';
import type { WebhookView } from '../persistence/webhook-queries.js';

export const WEBHOOK_URL_FORM = {
  url: {
    kind: 'url',
    label: 'URL',
    hint: 'All future attempts, including pending deliveries, go to this URL. The secret does not change.',
    required: true,
  },
} satisfies FormFields;

export const SECRET_ROTATION_FORM = {
  overlap_seconds: {
    kind: 'choice',
    label: 'Keep signing with the current secret',
    hint: 'The next page displays the new secret once.',
    options: [
      { value: '86400', label: 'for a day' },
      { value: '604800', label: 'for a week' },
      { value: '3600', label: 'for an hour' },
      { value: '0', label: 'no longer (it has leaked)' },
    ],
  },
} satisfies FormFields;

export const DELETE_WEBHOOK_FORM = {
  confirm: { kind: 'tick', label: 'Delete this webhook permanently' },
} satisfies FormFields;

interface WebhookSettingsProps {
  readonly visitor: PageUser;
  readonly webhook: WebhookView;
  readonly sent?: SubmittedForm;
}

export function webhookSettingsPage({ visitor, webhook, sent }: WebhookSettingsProps): VNode {
  const path = `/app/webhooks/${webhook.id}`;
  return (
    <DashboardPage
      visitor={visitor}
      title="Webhook settings"
      place="/app/webhooks"
      actions={<LinkButton href={path} label="View webhook" />}
    >
      <Card title="URL">
        <FormWithErrors
          fields={WEBHOOK_URL_FORM}
          sent={sent}
          values={{ url: webhook.url }}
          action={`${path}/url`}
        >
          <div class="actions">
            <button class="button primary">{t('Change URL')}</button>
          </div>
        </FormWithErrors>
      </Card>
      <ActivationSwitch path={path} active={webhook.active} />
      <SecretRotation path={path} until={webhook.previousSecretUntil} sent={sent} />
      <Card title="Delete">
        <p>{t('This cannot be undone. The delivery log stays available in the log of the account.')}</p>
        <FormWithErrors fields={DELETE_WEBHOOK_FORM} sent={sent} action={`${path}/delete`}>
          <div class="actions">
            <button class="button danger">{t('Delete')}</button>
          </div>
        </FormWithErrors>
      </Card>
    </DashboardPage>
  );
}

function ActivationSwitch({ path, active }: { path: string; active: boolean }): VNode {
  return active ? (
    <Card title="Deactivate">
      <p>
        {t(
          'The webhook stops receiving events. Pending deliveries are marked failed; you can replay them later.',
        )}
      </p>
      <Form action={`${path}/deactivate`}>
        <div class="actions">
          <button class="button">{t('Deactivate')}</button>
        </div>
      </Form>
    </Card>
  ) : (
    <Card title="Activate">
      <p>{t('The webhook receives new events. You can replay the events it missed.')}</p>
      <Form action={`${path}/activate`}>
        <div class="actions">
          <button class="button primary">{t('Activate')}</button>
        </div>
      </Form>
    </Card>
  );
}

interface SecretProps {
  readonly path: string;
  /** Time until which the secret before the last rotation also signs. */
  readonly until: Date | undefined;
  readonly sent: SubmittedForm | undefined;
}

function SecretRotation({ path, until, sent }: SecretProps): VNode {
  if (until === undefined)
    return (
      <Card title="Secret">
        <FormWithErrors fields={SECRET_ROTATION_FORM} sent={sent} action={`${path}/rotate-secret`}>
          <div class="actions">
            <button class="button">{t('Rotate secret')}</button>
          </div>
        </FormWithErrors>
      </Card>
    );
  return (
    <Card title="Secret">
      <FormErrorNotice refusal={sent?.fields === SECRET_ROTATION_FORM ? sent.refusal : undefined} />
      <p>
        {t(
          'Both the previous and the current secret sign until {time}. Stop the previous one when your receiver uses the new one; then you can rotate again.',
          { time: <TimeText at={until} exact /> },
        )}
      </p>
      <Form action={`${path}/end-overlap`}>
        <div class="actions">
          <button class="button">{t('Stop signing with the previous secret')}</button>
        </div>
      </Form>
    </Card>
  );
}
