import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  createMerchantAccountField,
  type FormFields,
  SECOND_FACTOR_FIELD,
  type SubmittedForm,
  type SubmittedFields,
  UNRENDERED_FIELD,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { CopyRow, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { MAX_KEY_NAME_LENGTH, type Credential } from '#contexts/identity/domain/credentials/credential.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';

export const API_KEY_FIELDS = {
  name: { label: 'Name', hint: 'Purpose of the key.', maxlength: MAX_KEY_NAME_LENGTH, required: true },
  roles: {
    kind: 'ticks',
    label: 'Roles',
    options: [
      { value: 'read', label: { name: 'read' }, hint: 'Reads all data in its scope.' },
      { value: 'write', label: { name: 'write' }, hint: 'Creates and changes data, but cannot read it.' },
    ],
  },
  read: UNRENDERED_FIELD,
  write: UNRENDERED_FIELD,
} satisfies FormFields;

export const NEW_API_KEY_FIELDS = {
  ...API_KEY_FIELDS,
  account_id: { kind: 'choice', label: 'Scope', hint: 'One account or the whole organization.' },
  allowed_ips: { kind: 'lines', label: 'Allowed IP addresses', isFolded: true },
  code: SECOND_FACTOR_FIELD,
} satisfies FormFields;

export function checkedRolesIn({ read, write }: SubmittedFields<typeof API_KEY_FIELDS>): string[] {
  return [...(read === 'on' ? ['read'] : []), ...(write === 'on' ? ['write'] : [])];
}

const WHOLE_ORGANIZATION_CHOICE = { value: '', label: 'The whole organization' } as const;

interface NewApiKeyProps {
  readonly visitor: PageUser & { readonly address: string };
  readonly accounts: Choices<NamedAccount>;
  readonly sent?: SubmittedForm | undefined;
}

export function newApiKeyPage({ visitor, accounts, sent }: NewApiKeyProps): VNode {
  const scope = createMerchantAccountField(accounts, sent?.typed['account_id'], WHOLE_ORGANIZATION_CHOICE);
  const hint = t(
    'IP addresses or CIDR ranges, one per line. Leave blank to allow any. Your address is {address}.',
    {
      address: visitor.address,
    },
  );
  return (
    <DashboardPage visitor={visitor} title="Create API key" place="/app/api-keys">
      <FormCard
        fields={NEW_API_KEY_FIELDS}
        sent={sent}
        values={{ read: 'on', write: 'on' }}
        known={{ account_id: scope, allowed_ips: { hint } }}
        action="/app/api-keys"
        button="Create key"
        look="primary"
      />
    </DashboardPage>
  );
}

/** Renders the only page that displays the secret of the new API key. */
export function newApiKeySecretPage(
  visitor: PageUser,
  { id, name, keyId }: Credential,
  secret: string,
): VNode {
  const file = `API_KEY=${keyId}\nAPI_SECRET=${secret}\n`;
  return (
    <DashboardPage visitor={visitor} title={t('Key "{name}" created', { name })} place="/app/api-keys">
      <section class="card">
        <p class="warning">
          {t('The secret is displayed only once. Store it where your software reads its secrets.')}
        </p>
        <dl>
          <CopyRow id="key-id" label="API key id" value={keyId} />
          <CopyRow id="key-secret" label="API secret" value={secret} />
        </dl>
        <div class="actions">
          <button type="button" class="button" data-download={`api-key-${id}.env`} data-content={file} hidden>
            {t('Download')}
          </button>
          <LinkButton href={`/app/api-keys/${id}`} label="I saved it" look="primary" />
        </div>
      </section>
    </DashboardPage>
  );
}
