import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Time } from '#shared/web/dashboard/list-parts.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import type { RegisteredWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';

interface WebhookSecretProps extends RegisteredWebhook {
  readonly visitor: PageVisitor;
  readonly title: string;
}

/** The only page that ever shows the secret. */
export function webhookSecretPage({ visitor, title, webhook, secret }: WebhookSecretProps): VNode {
  return (
    <DashboardPage visitor={visitor} title={title} place="/app/webhooks">
      <section class="card">
        <p>
          Deliveries to <bdi>{webhook.url}</bdi> are signed with this secret. Your receiver needs it to check
          that they come from here.
        </p>
        <p class="warning">This is the only time that it is shown. Store it now.</p>
        <dl class="facts">
          <Copyable id="secret" label="Secret" value={secret} text={SHARED_MESSAGES.en} />
        </dl>
        {webhook.previousSecretUntil !== undefined && (
          <p>
            The previous secret signs beside it until <Time at={webhook.previousSecretUntil} />.
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
