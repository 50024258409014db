import type { VNode } from 'preact';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Done, Time } from '#shared/web/dashboard/list-parts.js';
import type { ShownWebhook } from '../persistence/webhook-queries.js';
import { AccountName, shownEvents, WebhookHealth, WebhookState } from './webhook-parts.js';

interface WebhooksProps extends Listed<ShownWebhook> {
  readonly done?: string | undefined;
}

const DONE = { deleted: 'The webhook is deleted. Nothing is sent to it any more.' };

export function webhooksPage({ done, ...list }: WebhooksProps): VNode {
  const register = <CreateLink visitor={list.visitor} path="/app/webhooks/new" label="Register a webhook" />;
  return (
    <ListPage
      {...list}
      place="/app/webhooks"
      actions={register}
      caption="Webhooks of all accounts, oldest first"
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
    >
      <Done done={done} notices={DONE} />
    </ListPage>
  );
}
