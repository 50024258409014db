import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { When } from '#shared/web/parts/when.js';
import type { ShownWebhook } from '../persistence/webhook-queries.js';

interface WebhookSecretProps {
  readonly visitor: PageVisitor;
  readonly webhook: ShownWebhook;
  readonly secret: string;
}

/** The path of the page that shows a webhook's newest secret. */
export function secretPageOf(webhook: string): string {
  return `/app/webhooks/${webhook}/secret`;
}

/** The only page that ever shows the secret. */
export function webhookSecretPage({ visitor, webhook, secret }: WebhookSecretProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Webhook secret" place="/app/webhooks">
      <section class="card">
        <p>
          Deliveries to <bdi>{webhook.url}</bdi> are signed with this secret. Your receiver needs it to check
          that they come from here.
        </p>
        <p class="warning">
          It is shown only now: loading this page again does not show it. Store it where your receiver reads
          its secrets.
        </p>
        <dl class="facts">
          <Copyable id="secret" label="Secret" value={secret} text={SHARED_MESSAGES.en} />
        </dl>
        {webhook.previousSecretUntil !== undefined && (
          <p>
            The previous secret signs beside it until <When at={webhook.previousSecretUntil} exact />.
          </p>
        )}
        <div class="actions">
          <a class="button primary" href={`/app/webhooks/${webhook.id}`}>
            I have stored it
          </a>
        </div>
      </section>
    </DashboardPage>
  );
}
