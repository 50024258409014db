import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { ActionButton, CopyRow, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { WebhookView } from '../persistence/webhook-queries.js';

interface WebhookSecretProps {
  readonly visitor: PageUser;
  readonly webhook: WebhookView;
  readonly secret: string;
}

export function webhookSecretPagePath(webhook: string): string {
  return `/app/webhooks/${webhook}/secret`;
}

/** The page after a registration or rotation, the only page that displays the secret. */
export function webhookSecretPage({ visitor, webhook, secret }: WebhookSecretProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Webhook secret" place="/app/webhooks">
      <section class="card">
        <p>
          {t(
            'Deliveries to {url} are signed with this secret. Your receiver uses it to verify the signature.',
            { url: <bdi>{webhook.url}</bdi> },
          )}
        </p>
        <p class="warning">
          {t('The secret is displayed only once. Store it where your receiver reads its secrets.')}
        </p>
        <dl class="facts">
          <CopyRow id="secret" label="Secret" value={secret} />
        </dl>
        {webhook.previousSecretUntil !== undefined && (
          <p>
            {t('The previous secret also signs until {time}.', {
              time: <TimeText at={webhook.previousSecretUntil} exact />,
            })}
          </p>
        )}
        <div class="actions">
          {webhook.active && (
            <ActionButton
              action={`/app/webhooks/${webhook.id}/test`}
              label="I saved it, send a test"
              look="primary"
            />
          )}
          <LinkButton href={`/app/webhooks/${webhook.id}`} label="I saved it" />
        </div>
      </section>
    </DashboardPage>
  );
}
