import { createHash } from 'node:crypto';
import { PairedDevices } from '#contexts/identity/application/devices/paired-devices.js';
import { PostgresCredentials } from '#contexts/identity/infrastructure/credentials/persistence/postgres-credentials.js';
import { PostgresPairings } from '#contexts/identity/infrastructure/devices/persistence/postgres-pairings.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import type { IssueCredential } from '#contexts/identity/application/credentials/issue-credential.js';
import type {
  AccountId,
  CollaboratorId,
  CredentialId,
  OrganizationId,
  PointOfSaleId,
} from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';
import { signedIn } from '../dashboard-session.js';
import type { TestService } from '../service.js';
import type { Credential, Tenant } from './hostile-tenants.js';

const SPARE = 5_000;
/** Nobody looks at how they are spelled, but that no character is left out as white space. */
const CODES = Array.from({ length: SPARE }, (_, n) => String(n).padStart(8, 'A'));

export type HostileDevices = Awaited<ReturnType<typeof furnishDevices>>;

export async function furnishDevices(
  service: TestService,
  database: Database,
  issue: IssueCredential,
  { organizationId, accountId, posId }: Tenant,
) {
  await signedIn(service.query, organizationId, 'admin');
  const [admin] = await service.query<{ id: CollaboratorId }>(
    `SELECT id FROM identity.collaborators WHERE organization_id = $1 AND role = 'admin' LIMIT 1`,
    [organizationId],
  );
  await service.query(
    `INSERT INTO identity.pairing_codes (code_digest, organization_id, account_id, point_of_sale_id, offered_by, expires_at)
     SELECT digest, $1, $2, $3, $4, platform.now() + interval '1 day' FROM UNNEST($5::bytea[]) AS code (digest)`,
    [organizationId, accountId, posId, admin!.id, CODES.map(digestOf)],
  );
  const spare = [...CODES];
  const devices = new PairedDevices(
    database,
    new DatabaseClock(database),
    issue,
    new PostgresCredentials(database),
    new PostgresPairings(database),
    new PostgresAuditLog(database),
  );
  const owner = { organizationId: organizationId as OrganizationId, accountId: accountId as AccountId };
  return {
    revoke: ({ id }: Credential, point: string) =>
      devices.revoke({ ...owner, id: point as PointOfSaleId }, id as CredentialId, { actor: 'test' }),
    spareCode: () => spare.pop()!,
    /** A code that pairs no device before all others have. */
    lastCode: () => spare[0]!,
    /** A device of the point of sale, whoever owns it, that is made in the home account. */
    async of(pointOfSale: string): Promise<Credential> {
      const pairing = {
        pointOfSaleId: pointOfSale as PointOfSaleId,
        pairedBy: admin!.id,
        pairedAs: 'admin' as const,
      };
      const described = {
        ...owner,
        name: 'Phone',
        roles: ['read', 'write'] as const,
        allowedAddresses: [],
        pairing,
      };
      const { credential, secret } = await database.run(() =>
        issue.execute(described, 'credential.paired', { actor: 'test' }),
      );
      return { id: credential.id, organizationId, keyId: credential.keyId, secret };
    },
  };
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
