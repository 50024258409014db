import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { type FormFields, type SentForm, UNSHOWN } from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, Done, Facts } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
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
} satisfies Record<string, Word>;

export function apiKeyPage(props: ApiKeyProps): VNode {
  const { visitor, credential, names, done } = props;
  const { id, name, keyId, accountId, enabled, createdAt, lastUsedAt } = credential;
  return (
    <DashboardPage
      visitor={visitor}
      title={{ name }}
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
          <CopyRow id="key-id" label="API key id" value={keyId} />
        </dl>
        <form method="post" action={`/app/api-keys/${id}/${enabled ? 'disable' : 'enable'}`}>
          <button class={enabled ? 'button danger' : 'button'}>{t(enabled ? 'Disable' : 'Enable')}</button>
        </form>
      </section>
      <Changes {...props} />
    </DashboardPage>
  );
}

function Changes({ visitor, credential, sent }: ApiKeyProps): VNode {
  const { id, name, roles, allowedAddresses } = credential;
  const path = `/app/api-keys/${id}`;
  const hint = t('None: any address. You are at {address}.', { address: visitor.address });
  const without_own =
    sent?.fields === ALLOWED_IPS ? { label: t('Keep {address} out', { address: visitor.address }) } : UNSHOWN;
  return (
    <>
      <section class="card">
        <h2>{t('Name and roles')}</h2>
        <FieldsForm
          fields={API_KEY}
          sent={sent}
          values={{ name, ...Object.fromEntries(roles.map((role) => [role, 'on'])) }}
          action={path}
        >
          <button class="button">{t('Save')}</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>{t('Allowed addresses')}</h2>
        <FieldsForm
          fields={ALLOWED_IPS}
          sent={sent}
          values={{ allowed_ips: allowedAddresses.join('\n') }}
          known={{ allowed_ips: { hint }, without_own }}
          action={`${path}/allowed-ips`}
        >
          <button class="button">{t('Save')}</button>
        </FieldsForm>
      </section>
      <section class="card">
        <h2>{t('Delete for good')}</h2>
        <p>{t('Programs that use it are refused from then on. There is no way back.')}</p>
        <FieldsForm
          fields={DELETE_KEY}
          sent={sent}
          known={{ confirmation: { label: t('Type the name of the key: {name}', { name }) } }}
          action={`${path}/delete`}
        >
          <button class="button danger">{t('Delete the key')}</button>
        </FieldsForm>
      </section>
    </>
  );
}
