import type { VNode } from 'preact';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { ALL, type FormFields, wordOptions } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { StateMark, Time } from '#shared/web/dashboard/list-parts.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-links.js';

interface LinksProps extends Listed<PaymentLink> {
  readonly state: '' | 'active' | 'inactive' | undefined;
  readonly names: ReadonlyMap<PointOfSaleId, string>;
}

const FILTERS = {
  state: {
    kind: 'choice',
    label: 'State',
    options: [ALL, ...wordOptions({ active: 'Active', inactive: 'Inactive' })],
  },
} satisfies FormFields;

export function linksPage({ state, names, ...list }: LinksProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/links"
      actions={<CreateLink visitor={list.visitor} path="/app/links/new" label="Create a link" />}
      filters={FILTERS}
      query={{ state }}
      caption="Payment links, newest first"
      empty={
        state ? (
          <p>
            No link is {state}. <a href="/app/links">Show all links</a>
          </p>
        ) : (
          <p>No payment link yet. A link is a page that opens a checkout of one price for each payer.</p>
        )
      }
      columns={[
        {
          title: 'Link',
          cell: ({ id, code }) => (
            <a href={`/app/links/${id}`}>
              <code>{code}</code>
            </a>
          ),
        },
        { title: 'Price', numeric: true, cell: ({ amount, coinCode }) => `${amount} ${coinCode}` },
        {
          title: 'Point of sale',
          cell: ({ pointOfSaleId }) => <bdi>{names.get(pointOfSaleId) ?? pointOfSaleId}</bdi>,
        },
        { title: 'State', cell: ({ active }) => <LinkState active={active} /> },
        { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

export function LinkState({ active }: { active: boolean }): VNode {
  return <StateMark tone={active ? 'good' : 'plain'}>{active ? 'Active' : 'Inactive'}</StateMark>;
}
