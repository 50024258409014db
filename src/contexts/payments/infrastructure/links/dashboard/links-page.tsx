import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { SelectField } from '#shared/web/dashboard/form-parts.js';
import { ListTable, Pager, StateMark, Time } from '#shared/web/dashboard/list-parts.js';
import type { PaymentLink } from '#contexts/payments/domain/links/payment-links.js';
import type { LinksQuery } from './link.form.js';

interface LinksProps extends PageRequest, Page<PaymentLink> {
  readonly visitor: PageVisitor;
  readonly state: LinksQuery['state'];
  readonly names: ReadonlyMap<PointOfSaleId, string>;
}

export function linksPage({ visitor, state, names, items, ...paging }: LinksProps): VNode {
  return (
    <DashboardPage
      visitor={visitor}
      title="Payment links"
      place="/app/links"
      actions={
        may(visitor.role, 'manage') && (
          <a class="button primary" href="/app/links/new">
            Create a link
          </a>
        )
      }
    >
      <form method="get" class="stack">
        <SelectField
          name="state"
          label="State"
          value={state}
          options={[
            { value: '', label: 'All' },
            { value: 'active', label: 'Active' },
            { value: 'inactive', label: 'Inactive' },
          ]}
        />
        <button class="button">Filter</button>
      </form>
      <ListTable
        caption="Payment links, newest first"
        items={items}
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
      <Pager path="/app/links" query={{ state }} {...paging} />
    </DashboardPage>
  );
}

export function LinkState({ active }: { active: boolean }): VNode {
  return <StateMark tone={active ? 'good' : 'plain'}>{active ? 'Active' : 'Inactive'}</StateMark>;
}
