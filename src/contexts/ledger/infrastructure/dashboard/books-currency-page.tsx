import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  createMerchantAccountField,
  createCoinField,
  type FormActionOutcome,
  type FormFields,
} from '#shared/web/dashboard/form-fields.js';
import { CURRENCIES } from '#shared/kernel/currency.js';
import { FormWithErrors } from '#shared/web/dashboard/form-parts.js';
import { CompletedActionNotice, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';

/** Removing the currency requires the checkbox. */
export const CURRENCY_FIELDS = {
  account_id: { kind: 'choice', label: 'Account' },
  currency: {
    ...createCoinField(CURRENCIES, '', { value: '', label: 'Choose a currency' }),
    label: 'New currency',
  },
  none: { kind: 'tick', label: 'No accounting currency: use the currency of each price' },
} satisfies FormFields;

interface BooksCurrencyProps extends FormActionOutcome {
  readonly visitor: PageUser;
  readonly accounts: Choices<NamedAccount>;
  readonly currencies: ReadonlyMap<string, string>;
}

export function booksCurrencyPage({ visitor, accounts, currencies, done, sent }: BooksCurrencyProps): VNode {
  const items = accounts.items.map(({ id, name }) => ({
    id,
    name: currencies.has(id) ? `${name ?? id} (${currencies.get(id)!})` : name,
  }));
  const choice = createMerchantAccountField({ ...accounts, items }, sent?.typed['account_id'], {
    value: '',
    label: 'Choose an account',
  });
  return (
    <DashboardPage visitor={visitor} title="Accounting currency" place="/app/statements">
      <CompletedActionNotice done={done} notices={{ set: 'Accounting currency updated.' }} />
      <section class="card">
        <p class="note">
          {t(
            'The journal values payments received from now on in this currency. Earlier payments keep their value. The current currency of each account is shown next to its name.',
          )}
        </p>
        <FormWithErrors fields={CURRENCY_FIELDS} sent={sent} known={{ account_id: choice }}>
          <div class="actions">
            <button class="button primary">{t('Set currency')}</button>
            <LinkButton href="/app/statements" label="Statements" />
          </div>
        </FormWithErrors>
      </section>
    </DashboardPage>
  );
}
