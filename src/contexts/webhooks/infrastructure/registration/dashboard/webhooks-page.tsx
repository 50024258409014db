import type { VNode } from 'preact';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { CompletedActionNotice } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { FormActionOutcome } from '#shared/web/dashboard/form-fields.js';
import type { WebhookView } from '../persistence/webhook-queries.js';
import { AccountName, labelEventType, WebhookHealthBadge, WebhookStatusBadge } from './webhook-parts.js';

interface WebhooksProps extends ListPageData<WebhookView>, Pick<FormActionOutcome, 'done'> {}

const DONE_NOTICES = { deleted: 'Webhook deleted. It no longer receives events.' } satisfies Record<
  string,
  Word
>;

const CREATE_WEBHOOK_LINK = { path: '/app/webhooks/new', label: 'Create webhook' } as const;

export function webhooksPage({ done, ...list }: WebhooksProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/webhooks"
      create={CREATE_WEBHOOK_LINK}
      caption="Webhooks of all accounts, oldest first"
      empty={{
        title: 'No webhooks yet.',
        note: 'A webhook notifies your systems of payment events within seconds.',
      }}
      columns={[
        {
          title: 'URL',
          wide: true,
          cell: ({ id, url }) => (
            <a class="url" href={`/app/webhooks/${id}`}>
              {url}
            </a>
          ),
        },
        { title: 'Events', cell: ({ eventType }) => t(labelEventType(eventType)) },
        { title: 'Account', cell: (webhook) => <AccountName {...webhook} /> },
        { title: 'Status', cell: (webhook) => <WebhookStatusBadge {...webhook} /> },
        { title: 'Health', cell: (webhook) => <WebhookHealthBadge {...webhook} /> },
        { title: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
      ]}
    >
      <CompletedActionNotice done={done} notices={DONE_NOTICES} />
    </ListPage>
  );
}
