import type { VNode } from 'preact';
import type { Asset } from '#shared/kernel/asset.js';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { Done, Facts, ListTable, Time } from '#shared/web/dashboard/list-parts.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import type { PointOfSaleView } from '#contexts/point-of-sale/application/points-of-sale-records.js';
import type { TermsInForce } from '../persistence/settlement-address-queries.js';
import { CHECKOUT_FIRST, knownAssets, POINT_OF_SALE, valuesOf } from './point-of-sale-form.js';

export interface PointOfSaleProps {
  readonly visitor: PageVisitor;
  readonly point: PointOfSaleView;
  readonly terms: readonly TermsInForce[];
  readonly networks: readonly Network[];
  readonly assets: readonly Asset[];
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

const DONE = {
  created: 'The point of sale is created, and collects at once.',
  changed: 'The change is for payment requests from now on; those that exist stay as they are.',
};

export function pointOfSalePage(props: PointOfSaleProps): VNode {
  const { visitor, point, done, sent, assets } = props;
  return (
    <DashboardPage visitor={visitor} title={point.name} place="/app/points-of-sale">
      <Done done={done} notices={DONE} />
      <FactsSection {...props} />
      <TermsSection {...props} />
      {may(visitor.role, 'manage') && (
        <section class="card">
          <h2>Change</h2>
          <FieldsForm
            fields={POINT_OF_SALE}
            sent={sent}
            values={valuesOf(point)}
            known={knownAssets(assets)}
            action={`/app/points-of-sale/${point.id}`}
          >
            <button class="button">Save</button>
          </FieldsForm>
        </section>
      )}
    </DashboardPage>
  );
}

function FactsSection({ point, assets }: PointOfSaleProps): VNode {
  const shown = (id: string) => {
    const asset = assets.find(({ uniqueAssetId }) => uniqueAssetId === id);
    return asset === undefined ? id : `${asset.symbol} on ${asset.network}`;
  };
  return (
    <section class="card">
      <Facts
        facts={{
          Id: <code>{point.id}</code>,
          Type: point.type,
          Account: <bdi>{point.accountName}</bdi>,
          Merchant: <bdi>{point.merchant.name}</bdi>,
          'Payment options': point.paymentOptions.map(shown).join(', '),
          'Return address': point.returnUrl ?? 'none',
          Frames: point.frameOrigins.join(', ') || 'none',
          'First on the checkout': CHECKOUT_FIRST[point.checkoutFirst],
          Created: <Time at={point.createdAt} />,
          Changed: <Time at={point.updatedAt} />,
        }}
      />
    </section>
  );
}

/** Only operators set terms. */
function TermsSection({ terms, networks }: PointOfSaleProps): VNode {
  return (
    <section>
      <h2>Settlement terms</h2>
      <ListTable
        caption="Settlement terms in force, by network"
        items={terms}
        empty={<p>None yet: no payment can be asked for. The operator of the service sets them.</p>}
        columns={[
          {
            title: 'Network',
            cell: ({ network }) => networks.find((known) => known.network === network)?.name ?? network,
          },
          { title: 'Delivered to', cell: ({ settlementAddress }) => <code>{settlementAddress}</code> },
          { title: 'Fee', numeric: true, cell: ({ feeBasisPoints }) => `${feeBasisPoints / 100} %` },
          {
            title: 'Set for',
            cell: ({ accountId }) => (accountId === null ? 'the organization' : 'the account'),
          },
          { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}
