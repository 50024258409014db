import { Controller, Get, Post, Query } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { AccountId } from '#shared/kernel/ids.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  auditActorOf,
  handleFormSubmission,
  requireChosenId,
  trimmedOrUndefined,
  FormBody,
} from '#shared/platform/http/dashboard/form-body.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { SetBooksCurrency } from '../../application/set-books-currency.js';
import { BooksCurrencies } from '../persistence/recorded-rates.js';
import { booksCurrencyPage, CURRENCY_FIELDS } from './books-currency-page.js';

type SentCurrencyForm = SubmittedForm<typeof CURRENCY_FIELDS>;

@Controller('app/statements/currency')
export class BooksCurrencyController {
  constructor(
    private readonly setCurrency: SetBooksCurrency,
    private readonly currencies: BooksCurrencies,
    private readonly directory: AccountDirectory,
    private readonly accounts: AccountNames,
  ) {}

  @DashboardRoute('manage')
  @Get()
  async show(@Query() { done }: CompletedActionQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.page(visitor, { done }));
  }

  @DashboardActionRoute('set the currency of the books', 'manage', 'none', 'only changes later valuations')
  @Post()
  set(@FormBody(CURRENCY_FIELDS) form: SentCurrencyForm, @CurrentDashboardUser() visitor: DashboardUser) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, { sent }),
      async () => {
        const id = requireChosenId<AccountId>('account_id', form.typed.account_id, 'the accounts');
        const currency = currencyFrom(form);
        const account = await this.directory.narrowScope(visitor.scope, id);
        await this.setCurrency.set({ account, currency, ...auditActorOf(visitor) });
        return seeOther('/app/statements/currency?done=set');
      },
    );
  }

  private async page(visitor: DashboardUser, outcome: FormActionOutcome) {
    const typed = outcome.sent?.typed['account_id'];
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed });
    const ids = accounts.items.map(({ id }) => id);
    const currencies = await this.currencies.findByAccounts(visitor.organizationId, ids);
    return booksCurrencyPage({ visitor, accounts, currencies, ...outcome });
  }
}

function currencyFrom({ typed: { currency, none } }: SentCurrencyForm): string {
  const code = trimmedOrUndefined(currency);
  if ((code === undefined) !== (none === 'on'))
    throw invalidField(
      'currency',
      'currency',
      'must be one of the currencies. To set none, choose none and tick the box below.',
    );
  return code ?? '';
}
