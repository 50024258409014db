import type { VNode } from 'preact';
import type { AnalyticsAsset } from '#contexts/analytics/contract/daily-analytics.js';
import { EmptyState, ListTable } from '#shared/web/dashboard/list-page.js';
import { t, type DisplayText } from '#shared/web/dashboard/words/text.js';
import { AmountText } from '#shared/web/parts/values.js';
import { Card } from '#shared/web/dashboard/page-parts.js';
import type { AssetFlows, Overview } from './overview.js';
import type { AssetBalances, CompleteAssetBalances } from './overview-queries.js';

interface MoneyTableProps {
  readonly span: number;
  readonly overview: Pick<Overview, 'assets'>;
  readonly money: readonly CompleteAssetBalances[];
  readonly networkName: (network: string) => string;
}

type FlowField = keyof Pick<AssetFlows, 'received' | 'settled' | 'refunded'>;
type BalanceField = keyof Pick<AssetBalances, 'waiting' | 'inFlight' | 'float'>;

interface MoneyRow extends AnalyticsAsset {
  readonly flows: AssetFlows | undefined;
  readonly now: AssetBalances | undefined;
}

export function MoneyTable({ span, overview: { assets }, money, networkName }: MoneyTableProps): VNode {
  const rows = buildRows(assets, money);
  const amount = (row: MoneyRow, units = 0n) =>
    units === 0n ? 0 : <AmountText amount={units} decimals={row.decimals} symbol={row.currency} isShort />;
  const flow = (title: DisplayText, of: FlowField) => ({
    title,
    numeric: true,
    cell: (row: MoneyRow) => amount(row, row.flows?.[of]),
  });
  const stock = (title: DisplayText, of: BalanceField) => ({
    title,
    numeric: true,
    cell: (row: MoneyRow) => amount(row, row.now?.[of]),
  });
  return (
    <Card title="Money">
      <ListTable
        caption="Money by asset: current balances, and amounts received, settled and refunded in this period"
        items={rows}
        empty={
          <EmptyState
            title="No final payments yet."
            note="Payments stay at deposit addresses until they are settled to your address."
          />
        }
        columns={[
          {
            title: 'Asset',
            cell: ({ currency, network }) => (
              <>
                <bdi>{currency}</bdi>{' '}
                <span class="note">{t('on {network}', { network: networkName(network) })}</span>
              </>
            ),
          },
          stock('Unsettled', 'waiting'),
          stock('Settling', 'inFlight'),
          flow(t('Received, {span} days', { span }), 'received'),
          flow(t('Settled, {span} days', { span }), 'settled'),
          flow(t('Refunded, {span} days', { span }), 'refunded'),
          stock('Refund float', 'float'),
        ]}
      />
      <p class="note">
        {t(
          'Unsettled: at deposit addresses, including the service fee. Settling: sent, but not final yet. Settled: received by your settlement addresses.',
        )}
      </p>
    </Card>
  );
}

/** Builds the rows: assets with payments in the period first, then assets that only have balances. */
function buildRows(assets: readonly AssetFlows[], money: readonly CompleteAssetBalances[]): MoneyRow[] {
  const ids = new Set([...assets, ...money].map(({ uniqueAssetId }) => uniqueAssetId));
  return [...ids].map((id) => {
    const flows = assets.find(({ uniqueAssetId }) => uniqueAssetId === id);
    const now = money.find(({ uniqueAssetId }) => uniqueAssetId === id);
    const { network, currency, decimals } = (flows ?? now?.asset)!;
    return { network, currency, decimals, flows, now };
  });
}
