import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { When } from '#shared/web/parts/when.js';
import type { ShownWebhook } from '../persistence/webhook-queries.js';
import { AccountName, shownEvents, WebhookHealth, WebhookState } from './webhook-parts.js';

interface WebhooksProps extends Listed<ShownWebhook> {
  readonly done?: string | undefined;
}

const DONE = { deleted: 'Webhook deleted. It no longer receives events.' } satisfies Record<string, Word>;

const REGISTER = { path: '/app/webhooks/new', label: 'Create webhook' } as const;

export function webhooksPage({ done, ...list }: WebhooksProps): VNode {
  const { visitor } = list;
  return (
    <ListPage
      {...list}
      place="/app/webhooks"
      actions={list.total > 0 && <CreateLink visitor={visitor} {...REGISTER} />}
      caption="Webhooks of all accounts, oldest first"
      empty={
        <EmptyState
          title="No webhooks yet."
          action={may(visitor.role, 'manage') ? { href: REGISTER.path, label: REGISTER.label } : undefined}
        >
          {t('A webhook notifies your systems of payment events within seconds.')}
        </EmptyState>
      }
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
        { title: 'Events', cell: ({ eventType }) => t(shownEvents(eventType)) },
        { title: 'Account', cell: (webhook) => <AccountName {...webhook} /> },
        { title: 'Status', cell: (webhook) => <WebhookState {...webhook} /> },
        { title: 'Health', cell: (webhook) => <WebhookHealth {...webhook} /> },
        { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    >
      <Done done={done} notices={DONE} />
    </ListPage>
  );
}
