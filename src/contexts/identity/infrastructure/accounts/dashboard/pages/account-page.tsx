import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Form, RefusalNotice, TextField, type ShownRefusal } from '#shared/web/dashboard/form-parts.js';
import { DoneNotice, Time } from '#shared/web/dashboard/list-parts.js';
import { Fact } from '#shared/web/parts/fact.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';
import type { AccountForm } from '../account.form.js';
import { ACCOUNT_FIELDS, AccountFields } from './new-account-page.js';
import { ExternalId } from './accounts-page.js';

export interface AccountProps {
  readonly visitor: PageVisitor;
  readonly account: Account;
  readonly done?: string | undefined;
  /** The form that comes back, with what was typed. */
  readonly refused?: 'account' | 'delete';
  readonly refusal?: ShownRefusal;
  readonly typed?: AccountForm;
  readonly confirmation?: string;
}

const DONE: Record<string, string> = {
  created: 'The account is created, and can collect.',
  changed: 'The account is changed. Transactions posted before keep the external id of their day.',
};

export function accountPage(props: AccountProps): VNode {
  const { visitor, account, done = '' } = props;
  return (
    <DashboardPage visitor={visitor} title={account.name} place="/app/accounts">
      {DONE[done] !== undefined && <DoneNotice>{DONE[done]}</DoneNotice>}
      <section class="card">
        <dl class="facts">
          <Fact name="External id">
            <ExternalId id={account.externalId} />
          </Fact>
          <Fact name="Id">
            <code>{account.id}</code>
          </Fact>
          <Fact name="Created">
            <Time at={account.createdAt} />
          </Fact>
          <Fact name="Changed">
            <Time at={account.updatedAt} />
          </Fact>
        </dl>
      </section>
      {may(visitor.role, 'manage') && (
        <>
          <ChangeSection {...props} />
          <DeleteSection {...props} />
        </>
      )}
    </DashboardPage>
  );
}

function ChangeSection({ account, refused, refusal, typed }: AccountProps): VNode {
  const own = refused === 'account' ? refusal : undefined;
  return (
    <section class="card">
      <h2>Name and external id</h2>
      <RefusalNotice refusal={own} fields={ACCOUNT_FIELDS} />
      <Form action={`/app/accounts/${account.id}`}>
        <AccountFields
          values={typed ?? { name: account.name, external_id: account.externalId ?? '' }}
          refusal={own}
        />
        <button class="button">Save</button>
      </Form>
    </section>
  );
}

function DeleteSection({ account, refused, refusal, confirmation }: AccountProps): VNode {
  const own = refused === 'delete' ? refusal : undefined;
  return (
    <section class="card">
      <h2>Delete for good</h2>
      <p>
        Its points of sale and keys go with it; its history stays readable. Nothing may be open in it: no
        payment, active link, active webhook, subscription, or money that is not settled.
      </p>
      <RefusalNotice refusal={own} fields={['confirmation']} />
      <Form action={`/app/accounts/${account.id}/delete`}>
        <TextField
          name="confirmation"
          label={`Type the name of the account: ${account.name}`}
          autocomplete="off"
          value={confirmation}
          refusal={own}
          required
        />
        <button class="button danger">Delete the account</button>
      </Form>
    </section>
  );
}
