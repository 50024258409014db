import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { Typed } from '#shared/platform/http/dashboard/typed-field.js';

export class AccountForm {
  @Typed() name?: string;
  /** Empty: none. */
  @Typed() external_id?: string;
}

export class DeleteAccountForm {
  /** The account's name, typed again. */
  @Typed() confirmation?: string;
}

export class AccountQuery {
  @Typed() done?: string;
}

export class AccountsQuery extends DashboardPageQuery {
  @Typed() done?: string;
}

export function fieldsOf({ name = '', external_id: externalId = '' }: AccountForm) {
  return { name, ...(externalId.trim() === '' ? {} : { externalId }) };
}
