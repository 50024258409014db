import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { type FormFields, type SentForm, UNSHOWN } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { Done, Facts } from '#shared/web/dashboard/list-parts.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import { When } from '#shared/web/parts/when.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import { KeyState, Scope, type AccountNamesById } from './api-keys-page.js';
import { API_KEY } from './new-api-key-page.js';

export const ALLOWED_IPS = {
  allowed_ips: { kind: 'lines', label: 'Addresses or CIDR ranges, one on each line' },
  /** Confirms a list without the person's own address; asked for once such a list was refused. */
  without_own: { kind: 'tick' },
} satisfies FormFields;

export const DELETE_KEY = {
  /** The key's name, typed again. */
  confirmation: { autocomplete: 'off', required: true },
} satisfies FormFields;

export interface ApiKeyProps {
  readonly visitor: PageVisitor & { readonly address: string };
  readonly credential: Credential;
  readonly names: AccountNamesById;
  readonly done?: string | undefined;
  readonly sent?: SentForm | undefined;
}

const DONE = {
  changed: 'The change acts on the next request of the key.',
  shown:
    'Its secret was shown, and cannot be shown again. If it is lost, delete this key and create another.',
  enabled: 'The key works again.',
  disabled: 'The key is refused from now on, and so are its tokens.',
};

export function apiKeyPage(props: ApiKeyProps): VNode {
  const { visitor, credential, names, done } = props;
  const { id, name, keyId, accountId, enabled, createdAt, lastUsedAt } = credential;
  return (
    <DashboardPage
      visitor={visitor}
      title={name}
      heading={
        <>
          <bdi>{name}</bdi> <KeyState enabled={enabled} />
        </>
      }
      place="/app/api-keys"
    >
      <Done done={done} notices={DONE} />
      <section class="card">
        <Facts
          facts={{
            Scope: <Scope accountId={accountId} names={names} />,
            Created: <When at={createdAt} exact />,
            'Last use': <When at={lastUsedAt} />,
          }}
        />
        <dl>
          <Copyable id="key-id" label="API key id" value={keyId} text={SHARED_MESSAGES.en} />
        </dl>
        <form method="post" action={`/app/api-keys/${id}/${enabled ? 'disable' : 'enable'}`}>
          <button class={enabled ? 'button danger' : 'button'}>{enabled ? 'Disable' : 'Enable'}</button>
        </form>
      </section>
      <Changes {...props} />
    </DashboardPage>
  );
}

function Changes({ visitor, credential, sent }: ApiKeyProps): VNode {
  const { id, name, roles, allowedAddresses } = credential;
  const path = `/app/api-keys/${id}`;
  const without_own = sent?.fields === ALLOWED_IPS ? { label: `Keep ${visitor.address} out` } : UNSHOWN;
  return (
    <>
      <section class="card">
        <h2>Name and roles</h2>
        <FieldsForm
          fields={API_KEY}
          sent={sent}
          values={{ name, ...Object.fromEntries(roles.map((role) => [role, 'on'])) }}
          action={path}
        >
          <button class="button">Save</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>Allowed addresses</h2>
        <FieldsForm
          fields={ALLOWED_IPS}
          sent={sent}
          values={{ allowed_ips: allowedAddresses.join('\n') }}
          known={{ allowed_ips: { hint: `None: any address. You are at ${visitor.address}.` }, without_own }}
          action={`${path}/allowed-ips`}
        >
          <button class="button">Save</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>Delete for good</h2>
        <p>Programs that use it are refused from then on. There is no way back.</p>
        <FieldsForm
          fields={DELETE_KEY}
          sent={sent}
          known={{ confirmation: { label: `Type the name of the key: ${name}` } }}
          action={`${path}/delete`}
        >
          <button class="button danger">Delete the key</button>
        </FieldsForm>
      </section>
    </>
  );
}
