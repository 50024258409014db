import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Form, RefusalNotice, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import type { AccountForm } from '../account.form.js';
import { ACCOUNT_FIELDS, AccountFields } from './account-fields.js';

interface NewAccountProps {
  readonly visitor: PageVisitor;
  readonly typed: AccountForm;
  readonly refusal?: ShownRefusal;
}

export function newAccountPage({ visitor, typed, refusal }: NewAccountProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create an account" place="/app/accounts">
      <section class="card">
        <p>
          A part of the organization whose money is kept apart. It collects at once, under the settlement
          terms of the organization.
        </p>
        <RefusalNotice refusal={refusal} fields={ACCOUNT_FIELDS} />
        <Form action="/app/accounts">
          <AccountFields values={typed} refusal={refusal} />
          <button class="button primary">Create the account</button>
        </Form>
      </section>
    </DashboardPage>
  );
}
