import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  SelectField,
  TextArea,
  type ShownRefusal,
  SecondFactorField,
  CheckField,
  TextField,
} from '#shared/web/dashboard/form-parts.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { MAX_KEY_NAME_LENGTH, type Credential } from '#contexts/identity/domain/credentials/credential.js';
import type { Account } from '#contexts/identity/domain/accounts/account.js';
import { rolesOf, type CreateKeyForm } from '../api-key.form.js';

export interface NewApiKeyProps {
  readonly visitor: PageVisitor & { readonly address: string };
  readonly accounts: readonly Account[];
  readonly typed: Omit<CreateKeyForm, 'code'>;
  readonly refusal?: ShownRefusal;
}

const FIELDS = ['name', 'roles', 'account_id', 'allowed_ips', 'code'];

export function newApiKeyPage({ visitor, accounts, typed, refusal }: NewApiKeyProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create an API key" place="/app/api-keys">
      <section class="card">
        <RefusalNotice refusal={refusal} fields={FIELDS} />
        <Form action="/app/api-keys">
          <KeyFields name={typed.name} roles={rolesOf(typed)} refusal={refusal} />
          <SelectField
            name="account_id"
            label="Scope"
            value={typed.account_id}
            refusal={refusal}
            options={[
              { value: '', label: 'The whole organization' },
              ...accounts.map(({ id, name }) => ({ value: id, label: `Only ${name}` })),
            ]}
          />
          <TextArea
            name="allowed_ips"
            label="Allowed addresses"
            hint={`Addresses or CIDR ranges, one on each line; none: any. You are at ${visitor.address}.`}
            value={typed.allowed_ips ?? ''}
            refusal={refusal}
          />
          <SecondFactorField refusal={refusal} />
          <button class="button primary">Create the key</button>
        </Form>
      </section>
    </DashboardPage>
  );
}

/** The only page that ever shows the secret. */
export function newSecretPage(visitor: PageVisitor, { id, name, keyId }: Credential, secret: string): VNode {
  const file = `API_KEY=${keyId}\nAPI_SECRET=${secret}\n`;
  return (
    <DashboardPage visitor={visitor} title={`Key "${name}" is created`} place="/app/api-keys">
      <section class="card">
        <p class="warning">
          The secret is shown only now, and cannot be retrieved later. Keep it where your program reads its
          secrets.
        </p>
        <dl>
          <Copyable id="key-id" label="API key id" value={keyId} text={SHARED_MESSAGES.en} />
          <Copyable id="key-secret" label="API secret" value={secret} text={SHARED_MESSAGES.en} />
        </dl>
        <div class="actions">
          <button type="button" class="button" data-download={`api-key-${id}.env`} data-content={file} hidden>
            Download
          </button>
          <a class="button primary" href={`/app/api-keys/${id}`}>
            I have kept it
          </a>
        </div>
      </section>
    </DashboardPage>
  );
}

interface KeyFieldsProps {
  readonly name: string | undefined;
  readonly roles: readonly string[];
  readonly refusal: ShownRefusal | undefined;
}

export function KeyFields({ name, roles, refusal }: KeyFieldsProps): VNode {
  const problem = refusal?.errors.find(({ field }) => field === 'roles');
  return (
    <>
      <TextField
        name="name"
        label="Name"
        hint="What it is for."
        value={name}
        maxlength={MAX_KEY_NAME_LENGTH}
        refusal={refusal}
        required
      />
      <fieldset>
        <legend>Roles</legend>
        <CheckField
          name="read"
          label="read"
          hint="Reads everything in its scope."
          checked={roles.includes('read')}
        />
        <CheckField
          name="write"
          label="write"
          hint="Creates and changes; it does not read."
          checked={roles.includes('write')}
        />
        {problem !== undefined && <p class="problem">{problem.message}</p>}
      </fieldset>
    </>
  );
}
