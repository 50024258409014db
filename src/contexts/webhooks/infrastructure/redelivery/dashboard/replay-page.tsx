import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { type FormFields, type SubmittedForm, UNRENDERED_FIELD } from '#shared/web/dashboard/form-fields.js';
import { FormWithErrors } from '#shared/web/dashboard/form-parts.js';
import { DoneNotice, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import type { WebhookView } from '#contexts/webhooks/infrastructure/registration/persistence/webhook-queries.js';

export const REPLAY_FORM = {
  from: { kind: 'datetime-local', label: 'From (UTC)', required: true },
  to: {
    kind: 'datetime-local',
    label: 'To (UTC)',
    hint: 'Not included. At least one minute ago.',
    required: true,
  },
  /** Value of the submit button. `count` only counts the events to replay. */
  act: UNRENDERED_FIELD,
} satisfies FormFields;

interface ReplayProps {
  readonly visitor: PageUser;
  readonly webhook: WebhookView;
  readonly sent: SubmittedForm;
  /** Number of events in the time range. Absent before the visitor has counted them. */
  readonly events?: number;
}

export function replayPage({ visitor, webhook, sent, events }: ReplayProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Replay events" place="/app/webhooks">
      {events !== undefined && (
        <DoneNotice>
          {t('{count} event in this period would be resent.|{count} events in this period would be resent.', {
            count: events,
          })}
        </DoneNotice>
      )}
      <section class="card">
        <p>
          {t(
            'Resends all events of a period to {url}, whether delivered or not. Events of the same payment are sent in order.',
            { url: <bdi>{webhook.url}</bdi> },
          )}
        </p>
        <FormWithErrors fields={REPLAY_FORM} sent={sent}>
          <div class="actions">
            <button class="button" name="act" value="count">
              {t('Count events')}
            </button>
            <button class="button primary" name="act" value="replay">
              {t('Replay events')}
            </button>
            <LinkButton href={`/app/webhooks/${webhook.id}`} label="Cancel" />
          </div>
        </FormWithErrors>
      </section>
    </DashboardPage>
  );
}
