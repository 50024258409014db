import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormActionOutcome,
  type FormFields,
  UNRENDERED_FIELD,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { CompletedActionNotice, DetailCard } from '#shared/web/dashboard/page-parts.js';
import { t, type Word } from '#shared/web/dashboard/words/text.js';
import { TimeText } from '#shared/web/parts/values.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import { type AccountNamesById, ApiKeyStatusBadge, ApiKeyScopeLabel } from './api-keys-page.js';
import { API_KEY_FIELDS } from './new-api-key-page.js';

export const ALLOWED_IPS_FIELDS = {
  allowed_ips: { kind: 'lines', label: 'IP addresses or CIDR ranges, one per line' },
  /** Confirms a list of allowed addresses without the person's own address. Displayed after such a list was refused. */
  without_own: { kind: 'tick' },
} satisfies FormFields;

export const DELETE_KEY_FIELDS = {
  /** The name of the key, which the person types to confirm the deletion. */
  confirmation: { autocomplete: 'off', required: true },
} satisfies FormFields;

export interface ApiKeyProps extends FormActionOutcome {
  readonly visitor: PageUser & { readonly address: string };
  readonly credential: Credential;
  readonly names: AccountNamesById;
}

const SUCCESS_MESSAGES = {
  changed: 'Key updated. The change applies from its next request.',
  shown: 'The secret has already been displayed. If you lost it, delete this key and create a new one.',
  enabled: 'Key enabled.',
  disabled: 'Key disabled. The key and its tokens no longer work.',
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
          <bdi>{name}</bdi> <ApiKeyStatusBadge enabled={enabled} />
        </>
      }
      place="/app/api-keys"
    >
      <CompletedActionNotice done={done} notices={SUCCESS_MESSAGES} />
      <DetailCard
        facts={{
          Scope: <ApiKeyScopeLabel accountId={accountId} names={names} />,
          Created: <TimeText at={createdAt} exact />,
          'Last used': <TimeText at={lastUsedAt} />,
        }}
        copy={{ id: 'key-id', label: 'API key id', value: keyId }}
      >
        <form method="post" action={`/app/api-keys/${id}/${enabled ? 'disable' : 'enable'}`}>
          <button class={enabled ? 'button danger' : 'button'}>{t(enabled ? 'Disable' : 'Enable')}</button>
        </form>
      </DetailCard>
      <ApiKeyForms {...props} />
    </DashboardPage>
  );
}

function ApiKeyForms({ visitor, credential, sent }: ApiKeyProps): VNode {
  const { id, name, roles, allowedAddresses } = credential;
  const path = `/app/api-keys/${id}`;
  const hint = t('Leave blank to allow any address. Your address is {address}.', {
    address: visitor.address,
  });
  const without_own =
    sent?.fields === ALLOWED_IPS_FIELDS
      ? { label: t('Do not allow my address, {address}', { address: visitor.address }) }
      : UNRENDERED_FIELD;
  return (
    <>
      <FormCard
        title="Name and roles"
        fields={API_KEY_FIELDS}
        sent={sent}
        values={{ name, ...Object.fromEntries(roles.map((role) => [role, 'on'])) }}
        action={path}
        button="Save"
      />
      <FormCard
        title="Allowed IP addresses"
        fields={ALLOWED_IPS_FIELDS}
        sent={sent}
        values={{ allowed_ips: allowedAddresses.join('\n') }}
        known={{ allowed_ips: { hint }, without_own }}
        action={`${path}/allowed-ips`}
        button="Save"
      />
      <FormCard
        title="Delete permanently"
        note="Software that uses this key stops working. This cannot be undone."
        fields={DELETE_KEY_FIELDS}
        sent={sent}
        known={{ confirmation: { label: t('To confirm, type the key name: {name}', { name }) } }}
        action={`${path}/delete`}
        button="Delete key"
        look="danger"
      />
    </>
  );
}
