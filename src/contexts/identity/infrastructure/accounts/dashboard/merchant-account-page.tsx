import type { VNode } from 'preact';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { formatAmountForEditing, parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { createCoinField, type FormFields, type SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { CURRENCIES } from '#shared/kernel/currency.js';
import { FormWithErrors, FormCard } from '#shared/web/dashboard/form-parts.js';
import { Card, CompletedActionNotice, DetailCard } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_NAME_LENGTH,
  type Account,
} from '#contexts/identity/domain/accounts/account.js';
import type { DeletionObstacle } from '#contexts/identity/domain/accounts/deletion-rule.js';
import { MAX_TOLERANCE_BASIS_POINTS } from '#contexts/identity/domain/accounts/underpayment-tolerance-rule.js';
import { ExternalId } from './merchant-accounts-page.js';

const PERCENT_DECIMALS = 2;

/** Formats basis points as a percentage, such as `0.5`. */
function formatPercent(basisPoints: number): string {
  return formatAmount(BigInt(basisPoints), PERCENT_DECIMALS);
}

/** @throws validation_failed naming the field `percent` */
export function basisPointsOf(typedPercent: string): number {
  const parsed = parseAmount(parseEnteredAmount(typedPercent, 'percent'), PERCENT_DECIMALS);
  if (parsed === 'not_positive') return 0;
  if (typeof parsed === 'bigint' && parsed <= BigInt(MAX_TOLERANCE_BASIS_POINTS)) return Number(parsed);
  const rule = `must be a percentage from 0 to ${formatPercent(MAX_TOLERANCE_BASIS_POINTS)}, with at most two decimals, for example 0.5.`;
  throw invalidField('percent', 'percentage', rule);
}

const currencyField = (current: string) =>
  createCoinField(CURRENCIES, current, { value: '', label: 'All currencies' });

export const ACCOUNT_FIELDS = {
  name: { label: 'Name', maxlength: MAX_NAME_LENGTH, autocomplete: 'off', required: true },
  external_id: {
    label: 'External id (optional)',
    hint: 'Your own id for the account. It must be unique in the organization and cannot be reused, even after the account is deleted.',
    maxlength: MAX_EXTERNAL_ID_LENGTH,
    exact: true,
    autocomplete: 'off',
  },
  percent: {
    label: 'Underpayment tolerance in % of the price (optional)',
    hint: t('At most {most}. It covers the fees that exchanges deduct.', {
      most: formatPercent(MAX_TOLERANCE_BASIS_POINTS),
    }),
    inputmode: 'decimal',
    autocomplete: 'off',
    isFolded: true,
  },
  at_most: {
    label: 'Maximum tolerance',
    hint: 'Applies to payment requests created from now on.',
    inputmode: 'decimal',
    autocomplete: 'off',
    isFolded: true,
  },
  currency: {
    ...currencyField(''),
    label: 'Currency of the maximum',
    hint: 'Prices in other currencies have no tolerance.',
    isFolded: true,
  },
} satisfies FormFields;

/** Renames fields of errors from the API's names (`underpayment_tolerance.at_most`) to the form's (`at_most`). */
export function renameErrorFields({ refusal, ...form }: SubmittedForm): SubmittedForm {
  const errors = refusal?.errors.map((error) => ({
    ...error,
    field: error.field.replace(/^underpayment_tolerance\./, ''),
  }));
  return { ...form, refusal: refusal && { ...refusal, errors: errors ?? [] } };
}

export const DELETE_ACCOUNT_FIELDS = {
  /** The name of the account, which the person types to confirm the deletion. */
  confirmation: { autocomplete: 'off', required: true },
} satisfies FormFields;

interface NewAccountProps {
  readonly visitor: PageUser;
  readonly sent?: SubmittedForm;
}

export function newMerchantAccountPage({ visitor, sent }: NewAccountProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create account" place="/app/accounts">
      <FormCard
        note="An account has its own balance. It can collect payments immediately, under the settlement terms of the organization."
        fields={ACCOUNT_FIELDS}
        sent={sent}
        action="/app/accounts"
        button="Create account"
        look="primary"
      />
    </DashboardPage>
  );
}

export interface MerchantAccountPageProps extends NewAccountProps {
  readonly account: Account;
  /** Objects that prevent the account's deletion. Empty for people who may not delete it. */
  readonly obstacles: readonly DeletionObstacle[];
  readonly done?: string | undefined;
}

const SUCCESS_MESSAGES = {
  created: 'Account created. It can collect payments now.',
  changed: 'Account updated. Existing transactions keep their external id.',
} satisfies Record<string, Word>;

export function merchantAccountPage(props: MerchantAccountPageProps): VNode {
  const { visitor, account, done } = props;
  return (
    <DashboardPage visitor={visitor} title={{ name: account.name }} place="/app/accounts">
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      <DetailCard
        facts={{
          'External id': <ExternalId id={account.externalId} />,
          'Underpayment tolerance': toleranceText(account.underpaymentTolerance),
          Branding: (
            <a href={`/app/accounts/${account.id}/branding`}>{t('Name, logo and colour that payers see')}</a>
          ),
          Created: <TimeText at={account.createdAt} exact />,
          Updated: <TimeText at={account.updatedAt} exact />,
        }}
        copy={{ id: 'account-id', label: 'Account id', value: account.id }}
      />
      {hasPermission(visitor.role, 'manage') && <AccountForms {...props} />}
    </DashboardPage>
  );
}

function toleranceText(tolerance: Account['underpaymentTolerance']): VNode {
  if (tolerance === null) return t('none');
  return t('{percent} % of the price, at most {most}', {
    ...{
      percent: formatPercent(tolerance.basisPoints),
      most: [tolerance.atMost, tolerance.currency ?? ''].join(' ').trim(),
    },
  });
}

function AccountForms({ account, obstacles, sent }: MerchantAccountPageProps): VNode {
  const { id, name, externalId, underpaymentTolerance: tolerance } = account;
  return (
    <>
      <FormCard
        title="Name, external id and underpayment tolerance"
        fields={ACCOUNT_FIELDS}
        sent={sent}
        values={{
          name,
          external_id: externalId ?? '',
          percent: tolerance === null ? '' : formatPercent(tolerance.basisPoints),
          at_most: formatAmountForEditing(tolerance?.atMost ?? ''),
          currency: tolerance?.currency ?? '',
        }}
        known={{ currency: currencyField(tolerance?.currency ?? '') }}
        action={`/app/accounts/${id}`}
        button="Save"
      />
      <Card title="Delete permanently">
        <p>{t('This also deletes its points of sale and keys. The history stays available.')}</p>
        {obstacles.length > 0 && <DeletionObstacles {...{ obstacles, sent }} />}
        {obstacles.length === 0 && (
          <FormWithErrors
            fields={DELETE_ACCOUNT_FIELDS}
            sent={sent}
            known={{ confirmation: { label: t('To confirm, type the account name: {name}', { name }) } }}
            action={`/app/accounts/${id}/delete`}
          >
            <button class="button danger">{t('Delete account')}</button>
          </FormWithErrors>
        )}
      </Card>
    </>
  );
}

/** Displayed in place of the deletion form. An alert if a submitted deletion was refused. */
function DeletionObstacles({ obstacles, sent }: Pick<MerchantAccountPageProps, 'obstacles' | 'sent'>): VNode {
  return (
    <div {...(sent?.fields === DELETE_ACCOUNT_FIELDS && { class: 'alert', role: 'alert' })}>
      <p>{t('The account cannot be deleted yet, because:')}</p>
      <ul>
        {obstacles.map((obstacle) => (
          <li>{obstacleText(obstacle)}</li>
        ))}
      </ul>
    </div>
  );
}

function obstacleText(obstacle: DeletionObstacle): VNode {
  if ('count' in obstacle) return t(obstacle.text, { count: obstacle.count });
  return 'assets' in obstacle ? t(obstacle.text, { assets: obstacle.assets }) : t(obstacle.text);
}
