import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  SelectField,
  TextField,
  type ShownRefusal,
} from '#shared/web/dashboard/form-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { WEBHOOK_EVENT_TYPES } from '#contexts/webhooks/domain/registration/webhook.js';
import type { RegisterWebhookForm } from '../webhook.form.js';
import { shownEvents } from './webhook-parts.js';

interface RegisterWebhookProps {
  readonly visitor: PageVisitor;
  readonly accounts: readonly NamedAccount[];
  readonly form: RegisterWebhookForm;
  readonly refusal?: ShownRefusal | undefined;
}

const FIELDS = ['account_id', 'url', 'event_type', 'description'];

export function registerWebhookPage({ visitor, accounts, form, refusal }: RegisterWebhookProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Register a webhook" place="/app/webhooks">
      <section class="card">
        <RefusalNotice refusal={refusal} fields={FIELDS} />
        <Form>
          <TextField
            name="url"
            label="URL"
            hint="A public https address. Deliveries are posted to it; it answers with HTTP 200 within 2 seconds."
            type="url"
            value={form.url}
            refusal={refusal}
            required
          />
          <SelectField
            name="event_type"
            label="Hears of"
            value={form.event_type}
            refusal={refusal}
            options={WEBHOOK_EVENT_TYPES.map((type) => ({ value: type, label: shownEvents(type) }))}
          />
          <SelectField
            name="account_id"
            label="Account"
            value={form.account_id}
            refusal={refusal}
            options={accounts.map(({ id, name }) => ({ value: id, label: name ?? id }))}
          />
          <TextField
            name="description"
            label="Description"
            hint="For your own use; it may stay empty."
            value={form.description}
            refusal={refusal}
          />
          <div class="actions">
            <button class="button primary">Register</button>
            <a class="button" href="/app/webhooks">
              Cancel
            </a>
          </div>
        </Form>
      </section>
    </DashboardPage>
  );
}
