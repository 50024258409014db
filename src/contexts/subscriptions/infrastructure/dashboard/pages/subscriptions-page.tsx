import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { SelectField } from '#shared/web/dashboard/form-parts.js';
import { ListTable, Pager, Time } from '#shared/web/dashboard/list-parts.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';
import type { SubscriptionListQuery } from '../subscription.form.js';
import { INTERVAL_WORDS, shownPrice, STATUS_WORDS, SubscriptionMark } from './subscription-words.js';

interface SubscriptionsProps extends PageRequest, Page<SubscriptionState> {
  readonly visitor: PageVisitor;
  readonly status: SubscriptionListQuery['status'];
  readonly names: ReadonlyMap<PointOfSaleId, string>;
}

export function subscriptionsPage({ visitor, status, names, items, ...paging }: SubscriptionsProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="Subscriptions"
      place="/app/subscriptions"
      actions={
        may(visitor.role, 'manage') && (
          <a class="button primary" href="/app/subscriptions/new">
            Offer a subscription
          </a>
        )
      }
    >
      <form method="get" class="stack">
        <SelectField
          name="status"
          label="Status"
          value={status}
          options={[
            { value: '', label: 'All' },
            ...Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label })),
          ]}
        />
        <button class="button">Filter</button>
      </form>
      <ListTable
        caption="Subscriptions, newest first"
        items={items}
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
      <Pager path="/app/subscriptions" query={{ status }} {...paging} />
    </DashboardPage>
  );
}
