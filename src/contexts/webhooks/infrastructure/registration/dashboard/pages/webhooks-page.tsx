import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { DoneNotice, ListTable, Pager, Time } from '#shared/web/dashboard/list-parts.js';
import type { ShownWebhook } from '../../persistence/webhook-queries.js';
import { AccountName, shownEvents, WebhookHealth, WebhookState } from './webhook-parts.js';

interface WebhooksProps extends PageRequest, Page<ShownWebhook> {
  readonly visitor: PageVisitor;
  readonly done?: string | undefined;
}

export function webhooksPage({ visitor, done, items, ...paging }: WebhooksProps): VNode {
  const register = may(visitor.role, 'manage') && (
    <a class="button primary" href="/app/webhooks/new">
      Register a webhook
    </a>
  );
  return (
    <DashboardPage visitor={visitor} title="Webhooks" place="/app/webhooks" actions={register}>
      {done === 'deleted' && <DoneNotice>The webhook is deleted. Nothing is sent to it any more.</DoneNotice>}
      <ListTable
        caption="Webhooks of all accounts, oldest first"
        items={items}
        empty={
          <>
            <p>No webhook is registered. A webhook tells your systems what happened to a payment.</p>
            {register}
          </>
        }
        columns={[
          { title: 'URL', cell: ({ id, url }) => <a href={`/app/webhooks/${id}`}>{url}</a> },
          { title: 'Hears of', cell: ({ eventType }) => shownEvents(eventType) },
          { title: 'Account', cell: (webhook) => <AccountName {...webhook} /> },
          { title: 'State', cell: (webhook) => <WebhookState {...webhook} /> },
          { title: 'Health', cell: (webhook) => <WebhookHealth {...webhook} /> },
          { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Pager path="/app/webhooks" {...paging} />
    </DashboardPage>
  );
}
