import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { ALL, type FormFields, type ShownRefusal, wordOptions } from '#shared/web/dashboard/form-fields.js';
import { CreateLink, ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge, statusWord } from '#shared/web/parts/badge.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { Money } from '#shared/web/parts/money.js';
import { Name } from '#shared/web/parts/name.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-link.js';

interface LinksProps extends Listed<PaymentLink> {
  readonly state: '' | 'active' | 'inactive' | undefined;
  readonly names: ReadonlyMap<PointOfSaleId, string>;
  readonly refusal?: ShownRefusal | undefined;
}

const FILTERS = {
  state: {
    kind: 'choice',
    label: 'Status',
    options: [ALL, ...wordOptions({ active: statusWord('active'), inactive: statusWord('inactive') })],
  },
} satisfies FormFields;

export function linksPage({ state, names, ...list }: LinksProps): VNode {
  const mayCreate = may(list.visitor.role, 'manage');
  return (
    <ListPage
      {...list}
      place="/app/links"
      actions={list.total > 0 && <CreateLink visitor={list.visitor} {...CREATE} />}
      filters={FILTERS}
      query={{ state }}
      caption="Payment links, newest first"
      empty={<NoLinks state={state} mayCreate={mayCreate} />}
      columns={[
        {
          title: 'Price',
          numeric: true,
          cell: ({ id, amount, coinCode }) => (
            <a href={`/app/links/${id}`}>
              <Money amount={amount} symbol={coinCode} />
            </a>
          ),
        },
        { title: 'Status', cell: ({ active }) => <LinkState active={active} /> },
        {
          title: 'Point of sale',
          wide: true,
          cell: ({ pointOfSaleId: id }) => (
            <Name name={names.get(id)} id={id} href={`/app/points-of-sale/${id}`} />
          ),
        },
        { title: 'Code', cell: ({ code }) => <ShortId value={code} /> },
        { title: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
      ]}
    />
  );
}

const CREATE = { path: '/app/links/new', label: 'Create link' } as const;

const NONE = { active: 'No active links.', inactive: 'No inactive links.' } as const;

function NoLinks({ state, mayCreate }: Pick<LinksProps, 'state'> & { mayCreate: boolean }): VNode {
  // An invalid filter also matches nothing.
  if (state)
    return (
      <EmptyState
        title={NONE[state] ?? 'Page not found'}
        action={{ href: '/app/links', label: 'Show all links' }}
      />
    );
  return (
    <EmptyState
      title="No payment links yet."
      action={mayCreate ? { href: CREATE.path, label: CREATE.label } : undefined}
    >
      {t(
        'A payment link is a page with a fixed price that anyone can pay, without an online shop. Send it by email or print its QR code.',
      )}
    </EmptyState>
  );
}

export function LinkState({ active }: { active: boolean }): VNode {
  return <Badge status={active ? 'active' : 'inactive'} />;
}
