import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Form, RefusalNotice, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import { DoneNotice } from '#shared/web/dashboard/list-parts.js';
import type { ShownWebhook } from '#contexts/webhooks/infrastructure/registration/persistence/webhook-queries.js';
import type { ReplayForm } from '../../http/redelivery.dto.js';

interface ReplayProps {
  readonly visitor: PageVisitor;
  readonly webhook: ShownWebhook;
  readonly form: ReplayForm;
  readonly refusal?: ShownRefusal | undefined;
  /** The number of events in the range; absent before they are counted. */
  readonly events?: number;
}

export function replayPage({ visitor, webhook, form, refusal, events }: ReplayProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Replay events" place="/app/webhooks">
      <RefusalNotice refusal={refusal} fields={['from', 'to']} />
      {refusal === undefined && events !== undefined && (
        <DoneNotice>
          {events === 1 ? '1 event' : `${events.toLocaleString('en')} events`} of this time would be sent.
        </DoneNotice>
      )}
      <section class="card">
        <p>
          All events of a time are sent again to <bdi>{webhook.url}</bdi>, delivered or not, those of one
          payment one after another in their order.
        </p>
        <Form>
          <TextField
            name="from"
            label="From"
            hint="With Z for UTC, or an offset: 2030-01-31T12:00:00Z."
            value={form.from}
            refusal={refusal}
            required
          />
          <TextField
            name="to"
            label="Until before"
            hint="A minute ago at the latest."
            value={form.to}
            refusal={refusal}
            required
          />
          <div class="actions">
            <button class="button" name="act" value="count">
              Count them
            </button>
            <button class="button primary" name="act" value="replay">
              Replay
            </button>
            <a class="button" href={`/app/webhooks/${webhook.id}`}>
              Cancel
            </a>
          </div>
        </Form>
      </section>
    </DashboardPage>
  );
}
