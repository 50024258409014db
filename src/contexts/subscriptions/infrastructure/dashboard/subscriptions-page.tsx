import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { ALL, type FormFields, type ShownRefusal } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { Name } from '#shared/web/parts/name.js';
import { When } from '#shared/web/parts/when.js';
import type { SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import type { SubscriptionState } from '#contexts/subscriptions/domain/subscription-state.js';
import { INTERVAL_WORDS, Price, STATUS_OPTIONS, SubscriptionMark } from './subscription-words.js';

interface SubscriptionsProps extends Listed<SubscriptionState> {
  readonly status: '' | SubscriptionStatus | undefined;
  readonly names: ReadonlyMap<PointOfSaleId, string>;
  readonly networkName: (network: string) => string;
  readonly refusal?: ShownRefusal | undefined;
}

const FILTERS = {
  status: { kind: 'choice', label: 'Status', options: [ALL, ...STATUS_OPTIONS] },
} satisfies FormFields;

const OFFER = { path: '/app/subscriptions/new', label: 'Create subscription' } as const;

export function subscriptionsPage({ status, names, networkName, ...list }: SubscriptionsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/subscriptions"
      actions={list.total > 0 && <CreateLink visitor={list.visitor} {...OFFER} />}
      filters={FILTERS}
      query={{ status }}
      caption="Subscriptions, newest first"
      empty={<NoSubscriptions isFiltered={Boolean(status)} mayOffer={may(list.visitor.role, 'manage')} />}
      columns={[
        {
          title: 'Subscription',
          wide: true,
          cell: ({ id, referenceId }) => (
            <Name name={referenceId} id={id} href={`/app/subscriptions/${id}`} />
          ),
        },
        { title: 'Amount', numeric: true, cell: (subscription) => <Price {...subscription} /> },
        { title: 'Billing interval', cell: ({ interval }) => t(INTERVAL_WORDS[interval]) },
        { title: 'Network', cell: ({ asset }) => networkName(asset.network) },
        { title: 'Status', cell: ({ status: is }) => <SubscriptionMark status={is} /> },
        {
          title: 'Point of sale',
          cell: ({ pointOfSaleId: id }) => (
            <Name name={names.get(id)} id={id} href={`/app/points-of-sale/${id}`} />
          ),
        },
        {
          title: 'Next due date',
          cell: ({ next }) =>
            next === undefined ? <span class="note">{t('none')}</span> : <When at={next.at} />,
        },
        { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  );
}

function NoSubscriptions({ isFiltered, mayOffer }: { isFiltered: boolean; mayOffer: boolean }): VNode {
  if (isFiltered)
    return (
      <EmptyState
        title="No subscriptions with this status."
        action={{ href: '/app/subscriptions', label: 'Show all subscriptions' }}
      />
    );
  return (
    <EmptyState
      title="No subscriptions yet."
      action={mayOffer ? { href: OFFER.path, label: OFFER.label } : undefined}
    >
      {t('A subscription charges a wallet a fixed amount on each due date, after the payer has accepted it.')}
    </EmptyState>
  );
}
