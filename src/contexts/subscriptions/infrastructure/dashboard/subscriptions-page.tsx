import type { VNode } from 'preact';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { type FormFields, type FormErrors, createStatusFilter } from '#shared/web/dashboard/form-fields.js';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { RecordName, TimeText } from '#shared/web/parts/values.js';
import type { SubscriptionStatus } from '#contexts/subscriptions/contract/subscription-events.js';
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionSnapshot,
} from '#contexts/subscriptions/domain/subscription-snapshot.js';
import { INTERVAL_WORDS, SubscriptionPrice, SubscriptionStatusBadge } from './subscription-words.js';

interface SubscriptionsProps extends ListPageData<SubscriptionSnapshot> {
  readonly status: '' | SubscriptionStatus | undefined;
  readonly names: ReadonlyMap<PointOfSaleId, string>;
  readonly networkName: (network: string) => string;
  readonly refusal?: FormErrors | undefined;
}

const FILTERS = {
  status: createStatusFilter(SUBSCRIPTION_STATUSES),
} satisfies FormFields;

const CREATE_LINK = { path: '/app/subscriptions/new', label: 'Create subscription' } as const;

export function subscriptionsPage({ status, names, networkName, ...list }: SubscriptionsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/subscriptions"
      create={CREATE_LINK}
      filters={FILTERS}
      query={{ status }}
      caption="Subscriptions, newest first"
      noMatch={{
        title: 'No subscriptions with this status.',
        action: { href: '/app/subscriptions', label: 'Show all subscriptions' },
      }}
      empty={{
        title: 'No subscriptions yet.',
        note: 'A subscription charges a wallet a fixed amount on each due date, after the payer has accepted it.',
      }}
      columns={[
        {
          title: 'Subscription',
          wide: true,
          brief: true,
          cell: ({ id, referenceId, wallet }) => (
            <a href={`/app/subscriptions/${id}`}>
              <bdi>{referenceId ?? wallet?.externalId ?? t('Subscription')}</bdi>
            </a>
          ),
        },
        {
          title: 'Amount',
          numeric: true,
          brief: true,
          cell: (subscription) => <SubscriptionPrice {...subscription} />,
        },
        { title: 'Billing interval', cell: ({ interval }) => t(INTERVAL_WORDS[interval]) },
        { title: 'Network', cell: ({ asset }) => networkName(asset.network) },
        { title: 'Status', brief: true, cell: ({ status: is }) => <SubscriptionStatusBadge status={is} /> },
        {
          title: 'Point of sale',
          cell: ({ pointOfSaleId: id }) => (
            <RecordName name={names.get(id)} id={id} href={`/app/points-of-sale/${id}`} />
          ),
        },
        {
          title: 'Next due date',
          brief: true,
          cell: ({ next }) =>
            next === undefined ? <span class="note">{t('none')}</span> : <TimeText at={next.at} />,
        },
        { title: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
      ]}
    />
  );
}
