import type { VNode } from 'preact';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { type FormFields, type FormErrors, createStatusFilter } from '#shared/web/dashboard/form-fields.js';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { CopyButton } from '#shared/web/dashboard/page-parts.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { AmountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-link.js';

interface LinksProps extends ListPageData<PaymentLink> {
  readonly state: '' | 'active' | 'inactive' | undefined;
  readonly names: ReadonlyMap<PointOfSaleId, string>;
  readonly urlOf: (code: string) => string;
  readonly refusal?: FormErrors | undefined;
}

const FILTERS = {
  state: createStatusFilter(['active', 'inactive']),
} satisfies FormFields;

const CREATE_LINK_ACTION = { path: '/app/links/new', label: 'Create payment link' } as const;
const EMPTY_LIST_TITLES = { active: 'No active links.', inactive: 'No inactive links.' } as const;

export function linksPage({ state, names, urlOf, ...list }: LinksProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/links"
      create={CREATE_LINK_ACTION}
      filters={FILTERS}
      query={{ state }}
      caption="Payment links, newest first"
      noMatch={{
        // The list is also empty if the filter in the URL is invalid.
        title: (state ? EMPTY_LIST_TITLES[state] : undefined) ?? 'Page not found',
        action: { href: '/app/links', label: 'Show all links' },
      }}
      empty={{
        title: 'No payment links yet.',
        note: 'A payment link is a page with a fixed price that anyone can pay, without an online shop. Send it by email or print its QR code.',
      }}
      columns={[
        {
          title: 'Price',
          numeric: true,
          cell: ({ id, amount, coinCode }) => (
            <a href={`/app/links/${id}`}>
              <AmountText amount={amount} symbol={coinCode} />
            </a>
          ),
        },
        {
          title: 'Description',
          wide: true,
          cell: ({ order }) => <bdi>{order?.description ?? '—'}</bdi>,
        },
        { title: 'Status', cell: ({ active }) => <LinkStatusBadge active={active} /> },
        {
          title: 'Point of sale',
          cell: ({ pointOfSaleId: id }) => (
            <RecordName name={names.get(id)} id={id} href={`/app/points-of-sale/${id}`} />
          ),
        },
        {
          title: 'Link',
          cell: ({ id, code }) => <CopyButton id={`url-${id}`} label="Copy link" value={urlOf(code)} />,
        },
        { title: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
      ]}
    />
  );
}

export function LinkStatusBadge({ active }: { active: boolean }): VNode {
  return <StatusBadge status={active ? 'active' : 'inactive'} />;
}
