import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import type { FormActionOutcome, FormFields } from '#shared/web/dashboard/form-fields.js';
import { FormCard, FormWithErrors } from '#shared/web/dashboard/form-parts.js';
import {
  ActionButton,
  buttonClass,
  type ButtonLook,
  Card,
  CopyRow,
  CompletedActionNotice,
  DetailList,
  DetailCard,
  LinkButton,
} from '#shared/web/dashboard/page-parts.js';
import { type Column, ListTable } from '#shared/web/dashboard/list-page.js';
import { t, useTranslator, type Word } from '#shared/web/dashboard/words/text.js';
import { CountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import type { PointOfSaleDevice } from '#contexts/identity/contract/point-of-sale-devices.js';
import type { PointOfSaleView } from '../persistence/points-of-sale-records.js';
import type { EffectiveSettlementTerms } from '../persistence/settlement-address-queries.js';
import { SettlementTermsSection } from './settlement-terms-section.js';
import {
  CHECKOUT_FIRST_LABELS,
  FIELDS_OF_TYPE,
  type PointOfSaleFormOptions,
  displayNameOfAsset,
  POINT_OF_SALE_TYPE_LABELS,
  formValuesOf,
  dynamicFormFields,
} from './point-of-sale-form.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';

interface PointOfSaleProps extends PointOfSaleFormOptions, FormActionOutcome {
  readonly visitor: PageUser;
  readonly point: PointOfSaleView;
  readonly terms: readonly EffectiveSettlementTerms[];
  /** URL in the printed QR code; undefined for an online point of sale. */
  readonly codeUrl: string | undefined;
  /** Paired phones; undefined for an online point of sale. */
  readonly tills: readonly PointOfSaleDevice[] | undefined;
}

export const DELETE_POINT_OF_SALE_FIELDS = {
  /** The name of the point of sale, which the person types to confirm the deletion. */
  confirmation: { autocomplete: 'off', required: true },
} satisfies FormFields;

const NO_CURRENCY = { value: '', label: 'None' } as const;

const SUCCESS_MESSAGES = {
  created: 'Point of sale created. It can collect payments now.',
  physical: 'Point of sale created. Pair a phone to take payments with it.',
  revoked: 'Phone revoked. It can no longer take payments.',
  changed: 'Point of sale updated. Existing payment requests do not change.',
} satisfies Record<string, Word>;

export function pointOfSalePage(props: PointOfSaleProps): VNode {
  const { visitor, point, tills, done, sent } = props;
  const fields = FIELDS_OF_TYPE[point.type];
  return (
    <DashboardPage visitor={visitor} title={{ name: point.name }} place="/app/points-of-sale">
      <CompletedActionNotice
        done={done === 'created' && tills ? 'physical' : done}
        notices={SUCCESS_MESSAGES}
      />
      {tills?.length === 0 && <TillsSection visitor={visitor} id={point.id} tills={tills} />}
      <FactsSection {...props} />
      <TillCodeSection {...props} />
      {tills && tills.length > 0 && <TillsSection visitor={visitor} id={point.id} tills={tills} />}
      <SettlementTermsSection {...props} />
      {hasPermission(visitor.role, 'manage') && (
        <FormCard
          title="Edit"
          fields={fields}
          sent={sent && sent.fields !== DELETE_POINT_OF_SALE_FIELDS ? { ...sent, fields } : undefined}
          values={formValuesOf(point)}
          known={dynamicFormFields(props, point, NO_CURRENCY)}
          action={`/app/points-of-sale/${point.id}`}
          button="Save"
        />
      )}
      {hasPermission(visitor.role, 'manage') && <DeletionSection {...props} />}
    </DashboardPage>
  );
}

function DeletionSection({ point: { id, name }, sent }: PointOfSaleProps): VNode {
  return (
    <Card title="Delete permanently">
      <p>
        {t(
          'This also revokes its paired phones. Open payment requests, payment links and subscriptions must end first.',
        )}
      </p>
      <FormWithErrors
        fields={DELETE_POINT_OF_SALE_FIELDS}
        sent={sent}
        known={{ confirmation: { label: t('To confirm, type the name: {name}', { name }) } }}
        action={`/app/points-of-sale/${id}/delete`}
      >
        <button class="button danger">{t('Delete point of sale')}</button>
      </FormWithErrors>
    </Card>
  );
}

function FactsSection(props: PointOfSaleProps): VNode {
  const { point } = props;
  const words = useTranslator();
  const shown = (id: string) => words(displayNameOfAsset(props, id));
  return (
    <DetailCard
      facts={{
        Type: t(POINT_OF_SALE_TYPE_LABELS[point.type]),
        Account: (
          <RecordName
            name={point.accountName}
            id={point.accountId}
            href={`/app/accounts/${point.accountId}`}
          />
        ),
        Merchant: <bdi>{point.merchant.name}</bdi>,
        'Accepted assets': point.paymentOptions.map(shown).join(', '),
        'Return URL': point.returnUrl ?? t('not set'),
        'Embedding sites': point.frameOrigins.join(', ') || t('none'),
        'Default payment method': t(CHECKOUT_FIRST_LABELS[point.checkoutFirst]),
        Created: <TimeText at={point.createdAt} exact />,
        Updated: <TimeText at={point.updatedAt} exact />,
      }}
      copy={{ id: 'pos-id', label: 'Point of sale id', value: point.id }}
    />
  );
}

function TillCodeSection({ point, codeUrl }: PointOfSaleProps): VNode | null {
  if (codeUrl === undefined) return null;
  const { till } = point;
  return (
    <Card title="Printed code">
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
        <DetailList
          facts={{
            'Till currency': till.coinCode,
            'Tips (%)': till.tipPercentages.join(', ') || t('none'),
            'Till products': <CountText of={till.products.length} />,
          }}
        />
      )}
      <p>
        <LinkButton href={`/app/points-of-sale/${point.id}/sheet`} label="Printable QR sheet" />
      </p>
    </Card>
  );
}

interface TillsProps {
  readonly visitor: PageUser;
  readonly id: PointOfSaleId;
  readonly tills: readonly PointOfSaleDevice[];
}

function TillsSection({ visitor, id, tills }: TillsProps): VNode {
  if (tills.length === 0)
    return (
      <Card title="Tills">
        <p>
          {t('No paired phones.')}{' '}
          {t('A paired phone works as a till. It can only take payments at this point of sale.')}
        </p>
        <PairButton visitor={visitor} id={id} look="primary" />
      </Card>
    );
  const columns: Column<PointOfSaleDevice>[] = [
    { title: 'Name', wide: true, cell: ({ name }) => <bdi>{name}</bdi> },
    { title: 'Paired', cell: ({ pairedAt }) => <TimeText at={pairedAt} /> },
    { title: 'Added by', cell: ({ pairedBy }) => <bdi>{pairedBy}</bdi> },
    { title: 'Last used', cell: ({ lastUsedAt }) => <TimeText at={lastUsedAt} /> },
  ];
  if (hasPermission(visitor.role, 'manage'))
    columns.push({
      title: 'Action',
      cell: ({ id: device, name }) => (
        <ActionButton
          action={`/app/points-of-sale/${id}/tills/${device}/revoke`}
          label="Revoke"
          fullLabel={t('Revoke {name}', { name })}
          look="danger"
        />
      ),
    });
  return (
    <section>
      <h2>{t('Tills')}</h2>
      <ListTable caption="Paired phones, oldest first" items={tills} columns={columns} />
      <PairButton visitor={visitor} id={id} />
    </section>
  );
}

function PairButton({ visitor, id, look }: Omit<TillsProps, 'tills'> & { look?: ButtonLook }): VNode | null {
  if (!hasPermission(visitor.role, 'pair_devices')) return null;
  return (
    <form method="post" action="/app/till" class="actions">
      <input type="hidden" name="point_of_sale_id" value={id} />
      <button class={buttonClass(look)}>{t('Pair a phone')}</button>
    </form>
  );
}
