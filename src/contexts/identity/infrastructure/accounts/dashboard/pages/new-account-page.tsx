import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Form, RefusalNotice, type ShownRefusal, TextField } from '#shared/web/dashboard/form-parts.js';
import { MAX_EXTERNAL_ID_LENGTH, MAX_NAME_LENGTH } from '#contexts/identity/domain/accounts/account.js';
import type { AccountForm } from '../account.form.js';

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

interface AccountFieldsProps {
  readonly values: AccountForm;
  readonly refusal: ShownRefusal | undefined;
}

export const ACCOUNT_FIELDS = ['name', 'external_id'];

export function AccountFields({ values, refusal }: AccountFieldsProps): VNode {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        value={values.name}
        maxlength={MAX_NAME_LENGTH}
        refusal={refusal}
        autocomplete="off"
        required
      />
      <TextField
        name="external_id"
        label="External id (optional)"
        hint="Your own id of it, unique in the organization for good: a deleted account keeps its."
        value={values.external_id}
        maxlength={MAX_EXTERNAL_ID_LENGTH}
        refusal={refusal}
        autocomplete="off"
      />
    </>
  );
}
