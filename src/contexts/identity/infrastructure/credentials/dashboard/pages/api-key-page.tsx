import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  CheckField,
  Form,
  RefusalNotice,
  TextArea,
  TextField,
  type ShownRefusal,
} from '#shared/web/dashboard/form-parts.js';
import { DoneNotice, Time } from '#shared/web/dashboard/list-parts.js';
import { Fact } from '#shared/web/parts/fact.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import { rolesOf, type AllowedIpsForm, type ChangeKeyForm } from '../api-key.form.js';
import { KeyState, Scope } from './api-keys-page.js';
import { KeyFields } from './new-api-key-page.js';

export interface ApiKeyProps {
  readonly visitor: PageVisitor & { readonly address: string };
  readonly credential: Credential;
  readonly done?: string | undefined;
  /** The form that comes back, with what was typed. */
  readonly refused?: 'key' | 'allowed_ips' | 'delete';
  readonly refusal?: ShownRefusal | undefined;
  readonly typed?: ChangeKeyForm | AllowedIpsForm;
}

const DONE: Record<string, string> = {
  changed: 'The change acts on the next request of the key.',
  enabled: 'The key works again.',
  disabled: 'The key is refused from now on, and so are its tokens.',
};

export function apiKeyPage(props: ApiKeyProps): VNode {
  const { visitor, credential, done } = props;
  const { id, name, keyId, accountId, enabled, createdAt, lastUsedAt } = credential;
  return (
    <DashboardPage visitor={visitor} title={name} place="/app/api-keys">
      {done !== undefined && DONE[done] !== undefined && <DoneNotice>{DONE[done]}</DoneNotice>}
      <section class="card">
        <dl class="facts">
          <Fact name="Key id">
            <code>{keyId}</code>
          </Fact>
          <Fact name="State">
            <KeyState enabled={enabled} />
          </Fact>
          <Fact name="Scope">
            <Scope accountId={accountId} />
          </Fact>
          <Fact name="Created">
            <Time at={createdAt} />
          </Fact>
          <Fact name="Last use">
            <Time at={lastUsedAt} />
          </Fact>
        </dl>
        <form method="post" action={`/app/api-keys/${id}/${enabled ? 'disable' : 'enable'}`}>
          <button class={enabled ? 'button danger' : 'button'}>{enabled ? 'Disable' : 'Enable'}</button>
        </form>
      </section>
      <ChangeSection {...props} />
      <AddressesSection {...props} />
      <DeleteSection {...props} />
    </DashboardPage>
  );
}

function ChangeSection({ credential, refused, refusal, typed }: ApiKeyProps): VNode {
  const isBack = refused === 'key';
  const shown = isBack ? (typed as ChangeKeyForm) : undefined;
  return (
    <section class="card">
      <h2>Name and roles</h2>
      {isBack && <RefusalNotice refusal={refusal} fields={['name', 'roles']} />}
      <Form action={`/app/api-keys/${credential.id}`}>
        <KeyFields
          name={shown?.name ?? credential.name}
          roles={shown === undefined ? credential.roles : rolesOf(shown)}
          refusal={isBack ? refusal : undefined}
        />
        <button class="button">Save</button>
      </Form>
    </section>
  );
}

function AddressesSection({ visitor, credential, refused, refusal, typed }: ApiKeyProps): VNode {
  const isBack = refused === 'allowed_ips';
  const shown = isBack ? (typed as AllowedIpsForm).allowed_ips : undefined;
  return (
    <section class="card">
      <h2>Allowed addresses</h2>
      {isBack && <RefusalNotice refusal={refusal} fields={['allowed_ips']} />}
      <Form action={`/app/api-keys/${credential.id}/allowed-ips`}>
        <TextArea
          name="allowed_ips"
          label="Addresses or CIDR ranges, one on each line"
          hint={`None: any address. You are at ${visitor.address}.`}
          value={shown ?? credential.allowedAddresses.join('\n')}
          refusal={isBack ? refusal : undefined}
        />
        {isBack && <CheckField name="without_own" label={`Keep ${visitor.address} out`} />}
        <button class="button">Save</button>
      </Form>
    </section>
  );
}

function DeleteSection({ credential, refused, refusal }: ApiKeyProps): VNode {
  const isBack = refused === 'delete';
  return (
    <section class="card">
      <h2>Delete for good</h2>
      <p>Programs that use it are refused from then on. There is no way back.</p>
      {isBack && <RefusalNotice refusal={refusal} fields={['confirmation']} />}
      <Form action={`/app/api-keys/${credential.id}/delete`}>
        <TextField
          name="confirmation"
          label={`Type the name of the key: ${credential.name}`}
          autocomplete="off"
          refusal={isBack ? refusal : undefined}
          required
        />
        <button class="button danger">Delete the key</button>
      </Form>
    </section>
  );
}
