import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import type { FormFields, SentForm } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { Done, Facts, Time } from '#shared/web/dashboard/list-parts.js';
import {
  MAX_EXTERNAL_ID_LENGTH,
  MAX_NAME_LENGTH,
  type Account,
} from '#contexts/identity/domain/accounts/account.js';
import { ExternalId } from './accounts-page.js';

export const ACCOUNT = {
  name: { label: 'Name', maxlength: MAX_NAME_LENGTH, autocomplete: 'off', required: true },
  external_id: {
    label: 'External id (optional)',
    hint: 'Your own id of it, unique in the organization for good: a deleted account keeps its.',
    maxlength: MAX_EXTERNAL_ID_LENGTH,
    autocomplete: 'off',
  },
} satisfies FormFields;

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
          A part of the organization whose money is kept apart. It collects at once, under the settlement
          terms of the organization.
        </p>
        <FieldsForm fields={ACCOUNT} sent={sent} action="/app/accounts">
          <button class="button primary">Create the account</button>
        </FieldsForm>
      </section>
    </DashboardPage>
  );
}

export interface AccountProps extends NewAccountProps {
  readonly account: Account;
  readonly done?: string | undefined;
}

const DONE = {
  created: 'The account is created, and can collect.',
  changed: 'The account is changed. Transactions posted before keep the external id of their day.',
};

export function accountPage(props: AccountProps): VNode {
  const { visitor, account, done } = props;
  return (
    <DashboardPage visitor={visitor} title={account.name} place="/app/accounts">
      <Done done={done} notices={DONE} />
      <section class="card">
        <Facts
          facts={{
            'External id': <ExternalId id={account.externalId} />,
            Id: <code>{account.id}</code>,
            Created: <Time at={account.createdAt} />,
            Changed: <Time at={account.updatedAt} />,
          }}
        />
      </section>
      {may(visitor.role, 'manage') && <Changes {...props} />}
    </DashboardPage>
  );
}

function Changes({ account: { id, name, externalId }, sent }: AccountProps): VNode {
  return (
    <>
      <section class="card">
        <h2>Name and external id</h2>
        <FieldsForm
          fields={ACCOUNT}
          sent={sent}
          values={{ name, external_id: externalId ?? '' }}
          action={`/app/accounts/${id}`}
        >
          <button class="button">Save</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>Delete for good</h2>
        <p>
          Its points of sale and keys go with it; its history stays readable. Nothing may be open in it: no
          payment, active link, active webhook, subscription, or money that is not settled.
        </p>
        <FieldsForm
          fields={DELETE_ACCOUNT}
          sent={sent}
          known={{ confirmation: { label: `Type the name of the account: ${name}` } }}
          action={`/app/accounts/${id}/delete`}
        >
          <button class="button danger">Delete the account</button>
        </FieldsForm>
      </section>
    </>
  );
}
