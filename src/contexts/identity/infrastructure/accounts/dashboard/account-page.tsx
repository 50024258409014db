import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { editableAmount } from '#shared/kernel/typed-amount.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm, RefusalNotice } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, Done, Facts } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { When } from '#shared/web/parts/when.js';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_NAME_LENGTH,
  type Account,
} from '#contexts/identity/domain/accounts/account.js';
import { MAX_TOLERANCE_BASIS_POINTS } from '#contexts/identity/domain/accounts/underpayment-tolerance-rule.js';
import { ExternalId } from './accounts-page.js';

export const ACCOUNT = {
  name: { label: 'Name', maxlength: MAX_NAME_LENGTH, autocomplete: 'off', required: true },
  external_id: {
    label: 'External id (optional)',
    hint: 'Your own id of it, unique in the organization for good: a deleted account keeps its.',
    maxlength: MAX_EXTERNAL_ID_LENGTH,
    exact: true,
    autocomplete: 'off',
  },
  basis_points: {
    label: 'Accepted shortfall, in basis points of the price (optional)',
    hint: t('At most {most}; 100 are 1 %. Exchanges deduct a fee from what their customers send.', {
      most: MAX_TOLERANCE_BASIS_POINTS,
    }),
    inputmode: 'numeric',
    autocomplete: 'off',
  },
  at_most: {
    label: 'And never more than',
    hint: 'Applies to payment requests that are created from now on.',
    inputmode: 'decimal',
    autocomplete: 'off',
  },
  currency: {
    label: 'Currency of this maximum',
    hint: 'For example USD. Prices in another currency then accept no shortfall. Leave blank for prices in any currency.',
    maxlength: 3,
    exact: true,
    autocomplete: 'off',
  },
} satisfies FormFields;

/** The use cases name fields as the API does (`underpayment_tolerance.at_most`); the form names them flat (`at_most`). */
export function withOwnNames({ refusal, ...form }: SentForm): SentForm {
  const errors = refusal?.errors.map((error) => ({
    ...error,
    field: error.field.replace(/^underpayment_tolerance\./, ''),
  }));
  return { ...form, refusal: refusal && { ...refusal, errors: errors ?? [] } };
}

export const DELETE_ACCOUNT = {
  /** The account's name, typed again. */
  confirmation: { autocomplete: 'off', required: true },
} satisfies FormFields;

interface NewAccountProps {
  readonly visitor: PageVisitor;
  readonly sent?: SentForm;
}

export function newAccountPage({ visitor, sent }: NewAccountProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create an account" place="/app/accounts">
      <section class="card">
        <p>
          {t(
            'A part of the organization whose money is kept apart. It collects at once, under the settlement terms of the organization.',
          )}
        </p>
        <FieldsForm fields={ACCOUNT} sent={sent} action="/app/accounts">
          <button class="button primary">{t('Create the account')}</button>
        </FieldsForm>
      </section>
    </DashboardPage>
  );
}

export interface AccountProps extends NewAccountProps {
  readonly account: Account;
  /** The obstacles to deleting it; none for those who may not. */
  readonly obstacles: readonly string[];
  readonly done?: string | undefined;
}

const DONE = {
  created: 'The account is created, and can collect.',
  changed: 'The account is changed. Transactions posted before keep the external id of their day.',
} satisfies Record<string, Word>;

export function accountPage(props: AccountProps): VNode {
  const { visitor, account, done } = props;
  return (
    <DashboardPage visitor={visitor} title={{ name: account.name }} place="/app/accounts">
      <Done done={done} notices={DONE} />
      <section class="card">
        <Facts
          facts={{
            'External id': <ExternalId id={account.externalId} />,
            'Accepted shortfall': toleranceText(account.underpaymentTolerance),
            Branding: (
              <a href={`/app/accounts/${account.id}/branding`}>{t('Name, logo and colour before payers')}</a>
            ),
            Created: <When at={account.createdAt} exact />,
            Changed: <When at={account.updatedAt} exact />,
          }}
        />
        <dl>
          <CopyRow id="account-id" label="Account id" value={account.id} />
        </dl>
      </section>
      {may(visitor.role, 'manage') && <Changes {...props} />}
    </DashboardPage>
  );
}

function toleranceText(tolerance: Account['underpaymentTolerance']): VNode {
  if (tolerance === null) return t('none');
  return t('{points} basis points of the price, at most {most}', {
    ...{ points: tolerance.basisPoints, most: [tolerance.atMost, tolerance.currency ?? ''].join(' ').trim() },
  });
}

function Changes({ account, obstacles, sent }: AccountProps): VNode {
  const { id, name, externalId, underpaymentTolerance: tolerance } = account;
  return (
    <>
      <section class="card">
        <h2>{t('Name, external id and accepted shortfall')}</h2>
        <FieldsForm
          fields={ACCOUNT}
          sent={sent}
          values={{
            name,
            external_id: externalId ?? '',
            basis_points: tolerance?.basisPoints.toString() ?? '',
            at_most: editableAmount(tolerance?.atMost ?? ''),
            currency: tolerance?.currency ?? '',
          }}
          action={`/app/accounts/${id}`}
        >
          <button class="button">{t('Save')}</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>{t('Delete for good')}</h2>
        <p>{t('Its points of sale and keys go with it; its history stays readable.')}</p>
        {obstacles.length > 0 && <Obstacles {...{ obstacles, sent }} />}
        {obstacles.length === 0 && (
          <FieldsForm
            fields={DELETE_ACCOUNT}
            sent={sent}
            known={{ confirmation: { label: t('Type the name of the account: {name}', { name }) } }}
            action={`/app/accounts/${id}/delete`}
          >
            <button class="button danger">{t('Delete the account')}</button>
          </FieldsForm>
        )}
      </section>
    </>
  );
}

/** Stands in place of the form, and shows the refusal of one that was sent before there were obstacles. */
function Obstacles({ obstacles, sent }: Pick<AccountProps, 'obstacles' | 'sent'>): VNode {
  return (
    <>
      <RefusalNotice refusal={sent?.fields === DELETE_ACCOUNT ? sent.refusal : undefined} />
      <p>{t('It cannot be deleted yet. In the way:')}</p>
      <ul>
        {obstacles.map((obstacle) => (
          <li>{obstacle}</li>
        ))}
      </ul>
    </>
  );
}
