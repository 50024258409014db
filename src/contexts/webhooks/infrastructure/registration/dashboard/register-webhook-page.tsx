import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  createMerchantAccountField,
  type FormFields,
  type SubmittedForm,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { WEBHOOK_EVENT_TYPES } from '#contexts/webhooks/domain/registration/webhook.js';
import { labelEventType } from './webhook-parts.js';

export const NEW_WEBHOOK_FORM = {
  url: {
    kind: 'url',
    label: 'URL',
    hint: 'A public https address that answers each POST with HTTP 200 within 2 seconds.',
    required: true,
  },
  event_type: {
    kind: 'choice',
    label: 'Events',
    options: WEBHOOK_EVENT_TYPES.map((type) => ({ value: type, label: labelEventType(type) })),
  },
  account_id: { kind: 'choice', label: 'Account' },
  description: { label: 'Description', hint: 'For your own use (optional).' },
} satisfies FormFields;

interface RegisterWebhookProps {
  readonly visitor: PageUser;
  readonly accounts: Choices<NamedAccount>;
  readonly sent?: SubmittedForm | undefined;
}

export function registerWebhookPage({ visitor, accounts, sent }: RegisterWebhookProps): VNode {
  const known = { account_id: createMerchantAccountField(accounts, sent?.typed['account_id']) };
  return (
    <DashboardPage visitor={visitor} title="Create webhook" place="/app/webhooks">
      <FormCard
        fields={NEW_WEBHOOK_FORM}
        sent={sent}
        known={known}
        button="Create webhook"
        look="primary"
        cancel="/app/webhooks"
      />
    </DashboardPage>
  );
}
