import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import type { PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { ListTable, type Column } from '#shared/web/dashboard/list-parts.js';
import { t, useWords } from '#shared/web/dashboard/words/text.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { When } from '#shared/web/parts/when.js';
import type { Device } from '#contexts/identity/contract/devices.js';

interface TillsProps {
  readonly visitor: PageVisitor;
  readonly id: PointOfSaleId;
  readonly tills: readonly Device[];
}

export function TillsSection({ visitor, id, tills }: TillsProps): VNode {
  const words = useWords();
  const columns: Column<Device>[] = [
    { title: 'Name', wide: true, cell: ({ name }) => <bdi>{name}</bdi> },
    { title: 'Paired', cell: ({ pairedAt }) => <When at={pairedAt} /> },
    { title: 'Added by', cell: ({ pairedBy }) => <bdi>{pairedBy}</bdi> },
    { title: 'Last used', cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
  ];
  if (may(visitor.role, 'manage'))
    columns.push({
      title: 'Action',
      cell: ({ id: device, name }) => (
        <form method="post" action={`/app/points-of-sale/${id}/tills/${device}/revoke`}>
          <button class="button danger" aria-label={words(t('Revoke {name}', { name }))}>
            {t('Revoke')}
          </button>
        </form>
      ),
    });
  return (
    <section>
      <h2>{t('Tills')}</h2>
      <ListTable
        caption="Paired phones, oldest first"
        items={tills}
        columns={columns}
        empty={
          <EmptyState title="No paired phones.">
            {t('A paired phone works as a till. It can only take payments at this point of sale.')}
          </EmptyState>
        }
      />
      {may(visitor.role, 'pair_devices') && (
        <form method="post" action="/app/till" class="actions">
          <input type="hidden" name="point_of_sale_id" value={id} />
          <button class="button">{t('Pair a phone')}</button>
        </form>
      )}
    </section>
  );
}
