import type { ComponentChildren, VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  CheckField,
  Form,
  RefusalNotice,
  SelectField,
  TextField,
  type ShownRefusal,
} from '#shared/web/dashboard/form-parts.js';
import { Time } from '#shared/web/dashboard/list-parts.js';
import type { ShownWebhook } from '../../persistence/webhook-queries.js';

interface WebhookSettingsProps {
  readonly visitor: PageVisitor;
  readonly webhook: ShownWebhook;
  readonly refusal?: ShownRefusal | undefined;
  /** The URL that was typed; else the webhook's is shown. */
  readonly url?: string;
}

const OVERLAPS = [
  { value: '86400', label: 'for a day, beside the new one' },
  { value: '604800', label: 'for a week, beside the new one' },
  { value: '3600', label: 'for an hour, beside the new one' },
  { value: '0', label: 'no more: it has leaked' },
];

export function webhookSettingsPage({ visitor, webhook, refusal, url }: WebhookSettingsProps): VNode {
  const path = `/app/webhooks/${webhook.id}`;
  return (
    <DashboardPage
      visitor={visitor}
      title="Webhook settings"
      place="/app/webhooks"
      actions={
        <a class="button" href={path}>
          To the webhook
        </a>
      }
    >
      <RefusalNotice refusal={refusal} fields={['url', 'overlap_seconds']} />
      <Part title="URL">
        <Form action={`${path}/url`}>
          <TextField
            name="url"
            label="URL"
            hint="Every attempt from now on goes there, also of what waits. The secret stays."
            type="url"
            value={url ?? webhook.url}
            refusal={refusal}
            required
          />
          <div class="actions">
            <button class="button primary">Change the URL</button>
          </div>
        </Form>
      </Part>
      <Activity path={path} active={webhook.active} />
      <Part title="Secret">
        {webhook.previousSecretUntil === undefined ? (
          <Rotation path={path} refusal={refusal} />
        ) : (
          <Overlap path={path} until={webhook.previousSecretUntil} />
        )}
      </Part>
      <Part title="Delete">
        <p>There is no way back. The log of what was sent stays in the account’s log.</p>
        <Form action={`${path}/delete`}>
          <CheckField name="confirm" label="Delete this webhook for good" />
          <div class="actions">
            <button class="button danger">Delete</button>
          </div>
        </Form>
      </Part>
    </DashboardPage>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Activity({ path, active }: { path: string; active: boolean }): VNode {
  return active ? (
    <Part title="Deactivate">
      <p>It hears of nothing more, and what waits for it ends as failed. It can be replayed later.</p>
      <Form action={`${path}/deactivate`}>
        <div class="actions">
          <button class="button">Deactivate</button>
        </div>
      </Form>
    </Part>
  ) : (
    <Part title="Activate">
      <p>It hears of what happens from now on. What it missed can be replayed.</p>
      <Form action={`${path}/activate`}>
        <div class="actions">
          <button class="button primary">Activate</button>
        </div>
      </Form>
    </Part>
  );
}

function Rotation({ path, refusal }: { path: string; refusal: ShownRefusal | undefined }): VNode {
  return (
    <Form action={`${path}/rotate-secret`}>
      <SelectField
        name="overlap_seconds"
        label="The present secret signs"
        hint="The new secret is shown once, on the next page."
        options={OVERLAPS}
        refusal={refusal}
      />
      <div class="actions">
        <button class="button">Give it a new secret</button>
      </div>
    </Form>
  );
}

function Overlap({ path, until }: { path: string; until: Date }): VNode {
  return (
    <>
      <p>
        The previous secret signs beside the present one until <Time at={until} />. End it once your receiver
        knows the new one; then the secret can be rotated again.
      </p>
      <Form action={`${path}/end-overlap`}>
        <div class="actions">
          <button class="button">Let only the new secret sign</button>
        </div>
      </Form>
    </>
  );
}
