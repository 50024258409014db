import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, Done, Facts, ListTable } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t, useWords } from '#shared/web/dashboard/words/text.js';
import { EmptyState } from '#shared/web/parts/empty-state.js';
import { Count } from '#shared/web/parts/money.js';
import { Name } from '#shared/web/parts/name.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import type { Device } from '#contexts/identity/contract/devices.js';
import type { PointOfSaleView } from '../persistence/postgres-points-of-sale-records.js';
import type { TermsInForce } from '../persistence/settlement-address-queries.js';
import {
  assetChoice,
  CHECKOUT_FIRST,
  type FormAssets,
  FIELDS_OF_TYPE,
  shownAsset,
  TYPES,
  valuesOf,
} from './point-of-sale-form.js';
import { TillsSection } from './tills-section.js';

export interface PointOfSaleProps extends FormAssets {
  readonly visitor: PageVisitor;
  readonly point: PointOfSaleView;
  readonly terms: readonly TermsInForce[];
  /** Content of the printed code; undefined for an online point of sale. */
  readonly codeUrl: string | undefined;
  /** Undefined for an online point of sale. */
  readonly tills: readonly Device[] | undefined;
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

const DONE = {
  created: 'Point of sale created. It can collect payments now.',
  revoked: 'Phone revoked. It can no longer take payments.',
  changed: 'Point of sale updated. Existing payment requests do not change.',
} satisfies Record<string, Word>;

export function pointOfSalePage(props: PointOfSaleProps): VNode {
  const { visitor, point, tills, done, sent } = props;
  const fields = FIELDS_OF_TYPE[point.type];
  return (
    <DashboardPage visitor={visitor} title={{ name: point.name }} place="/app/points-of-sale">
      <Done done={done} notices={DONE} />
      <FactsSection {...props} />
      <TillCodeSection {...props} />
      {tills && <TillsSection visitor={visitor} id={point.id} tills={tills} />}
      <TermsSection {...props} />
      {may(visitor.role, 'manage') && (
        <section class="card">
          <h2>{t('Edit')}</h2>
          <FieldsForm
            fields={fields}
            sent={sent && { ...sent, fields }}
            values={valuesOf(point)}
            known={assetChoice(props, point.paymentOptions)}
            action={`/app/points-of-sale/${point.id}`}
          >
            <button class="button">{t('Save')}</button>
          </FieldsForm>
        </section>
      )}
    </DashboardPage>
  );
}

function FactsSection(props: PointOfSaleProps): VNode {
  const { point } = props;
  const words = useWords();
  const shown = (id: string) => words(shownAsset(props, id));
  return (
    <section class="card">
      <Facts
        facts={{
          Type: t(TYPES[point.type]),
          Account: (
            <Name name={point.accountName} id={point.accountId} href={`/app/accounts/${point.accountId}`} />
          ),
          Merchant: <bdi>{point.merchant.name}</bdi>,
          'Accepted assets': point.paymentOptions.map(shown).join(', '),
          'Return URL': point.returnUrl ?? t('not set'),
          'Embedding sites': point.frameOrigins.join(', ') || t('none'),
          'Default payment method': t(CHECKOUT_FIRST[point.checkoutFirst]),
          Created: <When at={point.createdAt} exact />,
          Updated: <When at={point.updatedAt} exact />,
        }}
      />
      <dl>
        <CopyRow id="pos-id" label="Point of sale id" value={point.id} />
      </dl>
    </section>
  );
}

function TillCodeSection({ point, codeUrl }: PointOfSaleProps): VNode | null {
  if (codeUrl === undefined) return null;
  const { till } = point;
  return (
    <section class="card">
      <h2>{t('Printed code')}</h2>
      <p class="note">
        {t(
          point.openAmount
            ? 'Payers scan it to pay the amount entered by the cashier, or enter an amount themselves.'
            : 'Payers scan it to pay the amount entered by the cashier.',
        )}
      </p>
      <dl>
        <CopyRow id="code-url" label="Code URL" value={codeUrl} />
      </dl>
      {till !== null && (
        <Facts
          facts={{
            'Till currency': till.coinCode,
            'Tips (%)': till.tipPercentages.join(', ') || t('none'),
            'Till products': <Count of={till.products.length} />,
          }}
        />
      )}
      <p>
        <a class="button" href={`/app/points-of-sale/${point.id}/sheet`}>
          {t('Printable QR sheet')}
        </a>
      </p>
    </section>
  );
}

/** Only operators set terms. */
function TermsSection({ terms, networks }: PointOfSaleProps): VNode {
  return (
    <section>
      <h2>{t('Settlement terms')}</h2>
      <ListTable
        caption="Current settlement terms by network"
        items={terms}
        empty={
          <EmptyState title="No settlement terms yet. Payments cannot be collected.">
            {t('The operator of the service sets the settlement address and the fee for each network.')}
          </EmptyState>
        }
        columns={[
          {
            title: 'Network',
            cell: ({ network }) => networks.find((known) => known.network === network)?.name ?? network,
          },
          {
            title: 'Settled to',
            wide: true,
            cell: ({ settlementAddress, network }) => {
              const { explorerUrl, deliversDirectly } =
                networks.find((known) => known.network === network) ?? {};
              // A wallet is not an address that an explorer can display.
              const explorer = deliversDirectly === true ? undefined : explorerUrl;
              return <ShortId kind="address" value={settlementAddress} explorer={explorer} />;
            },
          },
          { title: 'Fee', numeric: true, cell: ({ feeBasisPoints }) => `${feeBasisPoints / 100} %` },
          {
            title: 'Applies to',
            cell: ({ accountId }) => t(accountId === null ? 'the organization' : 'the account'),
          },
          { title: 'In effect since', cell: ({ createdAt }) => <When at={createdAt} /> },
        ]}
      />
    </section>
  );
}
