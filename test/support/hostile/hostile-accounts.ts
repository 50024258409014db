import { newId } from '#shared/kernel/ids.js';
import { copyShop } from '../copied-shop.js';
import { LINES } from './hostile-exceptions.js';
import { HOSTILE_VALUES } from './hostile-values.js';
import type { Tenant } from './hostile-tenants.js';
import type { TestService } from '../service.js';

const SPARE = 5_000;

export type HostileAccounts = Awaited<ReturnType<typeof furnishAccounts>>;

/**
 * Every hostile text that could be an external id is one already: an organization has each once, and a matrix that is drawn
 * could not know which it has used.
 */
export async function furnishAccounts(
  service: TestService,
  { organizationId, accountId }: Tenant,
  foreign: Tenant,
) {
  const foreignIds = [foreign.accountId, foreign.posId, foreign.paymentRequestId, foreign.credential.keyId];
  const texts = HOSTILE_VALUES.filter(({ name }) => LINES.includes(name)).flatMap(({ text }) => text ?? []);
  const idleId = newId<string>();
  await service.query(
    `INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
     SELECT id, $1, external_id, 'Idle', platform.now(), platform.now()
     FROM UNNEST($2::uuid[], $3::text[]) AS idle (id, external_id) ON CONFLICT DO NOTHING`,
    [
      organizationId,
      [idleId, ...texts.map(() => newId<string>()), ...foreignIds.map(() => newId<string>())],
      ['idle', ...texts.map((text) => text.normalize().trim()), ...foreignIds],
    ],
  );
  const idlePosId = await copyShop(service, {
    organization_id: organizationId,
    account_id: accountId,
    type: 'physical',
    // A worker would store one within a minute, which is no effect of what is sent.
    code: `0${'i'.repeat(22)}`,
  });
  const spares = Array.from({ length: SPARE }, () => newId<string>());
  await service.query(
    `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
     SELECT id, $1, 'Spare', platform.now(), platform.now() FROM UNNEST($2::uuid[]) AS spare (id)`,
    [organizationId, spares],
  );
  return { idleId, idlePosId, spare: () => spares.pop()! };
}
