import type { VNode } from 'preact';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { ALL, type FormFields, wordOptions } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { Time } from '#shared/web/dashboard/list-parts.js';
import type { SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';
import { INTERVAL_WORDS, shownPrice, STATUS_WORDS, SubscriptionMark } from './subscription-words.js';

interface SubscriptionsProps extends Listed<SubscriptionState> {
  readonly status: '' | SubscriptionStatus | undefined;
  readonly names: ReadonlyMap<PointOfSaleId, string>;
}

const FILTERS = {
  status: { kind: 'choice', label: 'Status', options: [ALL, ...wordOptions(STATUS_WORDS)] },
} satisfies FormFields;

export function subscriptionsPage({ status, names, ...list }: SubscriptionsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/subscriptions"
      actions={
        <CreateLink visitor={list.visitor} path="/app/subscriptions/new" label="Offer a subscription" />
      }
      filters={FILTERS}
      query={{ status }}
      caption="Subscriptions, newest first"
      empty={
        status ? (
          <p>
            No subscription has this status. <a href="/app/subscriptions">Show all subscriptions</a>
          </p>
        ) : (
          <p>
            No subscription yet. A subscription is an amount that a wallet agrees to pay on each due date.
          </p>
        )
      }
      columns={[
        {
          title: 'Subscription',
          cell: ({ id, referenceId }) => (
            <a href={`/app/subscriptions/${id}`}>
              {referenceId === undefined ? <code>{id}</code> : <bdi>{referenceId}</bdi>}
            </a>
          ),
        },
        { title: 'Status', cell: ({ status: is }) => <SubscriptionMark status={is} /> },
        { title: 'Amount', numeric: true, cell: shownPrice },
        { title: 'Charged', cell: ({ interval }) => INTERVAL_WORDS[interval] },
        {
          title: 'Point of sale',
          cell: ({ pointOfSaleId }) => <bdi>{names.get(pointOfSaleId) ?? pointOfSaleId}</bdi>,
        },
        {
          title: 'Next due date',
          cell: ({ next }) => (next === undefined ? <span class="note">none</span> : <Time at={next.at} />),
        },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
